import { randomUUID } from 'node:crypto';
import { formObject } from '#test/support/emulators/emulator-log.js';
import type { Purpose } from '#test/support/emulators/faults.js';
import { RequestTurns, type RequestParts } from '#test/support/emulators/request-turns.js';
import type { ServiceAnswer, WebhookSender } from '#test/support/emulators/webhook-sender.js';
import type { Dialect } from './dialect.js';

export interface CallRequest {
  purpose: Purpose;
  callSid: string;
  url: string;
  method: 'GET' | 'POST';
  form: URLSearchParams;
}

export interface CallRequestParts extends RequestParts {
  dialect: Dialect;
  signingKey: string;
  sender: WebhookSender;
}

/** The requests to the service for one call. */
export class CallRequests {
  readonly #parts: CallRequestParts;
  readonly #turns: RequestTurns;

  constructor(parts: CallRequestParts) {
    this.#parts = parts;
    this.#turns = new RequestTurns(parts);
  }

  /** Sends a request after earlier ones were answered; null if there is no answer. */
  send(request: CallRequest): Promise<ServiceAnswer | null> {
    const { purpose, callSid, form } = request;
    const status = form.get('CallStatus') ?? '';
    const to = form.get('To') ?? '';
    const travel = this.#parts.faults.travelOf({ purpose, callSid, to, status });
    const token = randomUUID();
    return this.#turns.take(travel, () => this.#exchange(request, token));
  }

  async #exchange(request: CallRequest, token: string): Promise<ServiceAnswer | null> {
    const { log } = this.#parts;
    const { purpose, callSid, url, form } = request;
    // A failed connection is retried once; any answer counts.
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
