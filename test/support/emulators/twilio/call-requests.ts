import { randomUUID } from 'node:crypto';
import { sleep, type Clock } from '../../../../src/kernel/clock.js';
import { formObject, type EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { ServiceAnswer, WebhookSender } from '../webhook-sender.js';
import type { Dialect } from './dialect.js';
import type { Faults, Purpose } from '../faults.js';

export interface CallRequest {
  purpose: Purpose;
  callSid: string;
  url: string;
  method: 'GET' | 'POST';
  form: URLSearchParams;
}

export interface CallRequestParts {
  clock: Clock;
  dialect: Dialect;
  signingKey: string;
  sender: WebhookSender;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/**
 * The requests that are made of the service for one call: one after the other, so that without faults they arrive in
 * the order of what happened. A delayed one steps aside.
 */
export class CallRequests {
  readonly #parts: CallRequestParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: CallRequestParts) {
    this.#parts = parts;
  }

  /** Sends a request when those before it are answered; null when there is no answer. */
  send(request: CallRequest): Promise<ServiceAnswer | null> {
    const { purpose, callSid, form } = request;
    const { clock, faults, pending, closing } = this.#parts;
    const status = form.get('CallStatus') ?? '';
    const to = form.get('To') ?? '';
    const { copies, delayMs } = faults.travelOf({ purpose, callSid, to, status });
    if (delayMs > 0)
      return sleep(clock, delayMs, closing).then(() => pending.during(this.#deliver(request, copies)));
    const answer = pending.during(this.#last.then(() => this.#deliver(request, copies)));
    this.#last = answer;
    return answer;
  }

  async #deliver(request: CallRequest, copies: number): Promise<ServiceAnswer | null> {
    const token = randomUUID();
    let answer: ServiceAnswer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++)
      answer = await this.#exchange(request, token);
    return answer;
  }

  async #exchange(request: CallRequest, token: string): Promise<ServiceAnswer | null> {
    const { log } = this.#parts;
    const { purpose, callSid, url, form } = request;
    // A connection that fails is tried once more; an answer, whatever it says, is an answer.
    const answer = (await this.#try(request, token)) ?? (await this.#try(request, token));
    log.add({ kind: 'sent', purpose, callSid, url, form: formObject(form), status: answer?.status ?? null });
    const wantsDocument = ['incoming', 'answered', 'action'].includes(purpose);
    if (!wantsDocument && (!answer || answer.status >= 300))
      log.complain(11200, `${purpose}: the service answered ${answer?.status ?? 'nothing'}`);
    return answer;
  }

  async #try({ method, url, form }: CallRequest, token: string): Promise<ServiceAnswer | null> {
    const { clock, dialect, signingKey, sender } = this.#parts;
    const body = method === 'POST' ? form.toString() : '';
    const signed = method === 'POST' ? form : new URLSearchParams();
    const asked = method === 'POST' ? url : `${url}${url.includes('?') ? '&' : '?'}${form.toString()}`;
    const headers = {
      'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
      'user-agent': 'TwilioProxy/1.1',
      'i-twilio-idempotency-token': token,
      ...dialect.signed({ signingKey, url: asked, form: signed, body, at: clock.wallMs() }),
    };
    try {
      return await sender.send({ method, url: asked, headers, body });
    } catch {
      return null;
    }
  }
}
