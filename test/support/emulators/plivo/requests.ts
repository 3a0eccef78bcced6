import { randomInt } from 'node:crypto';
import { sleep, type Clock } from '../../../../src/kernel/clock.js';
import { formObject, type EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { Faults, Purpose } from '../faults.js';
import type { ServiceAnswer, WebhookSender } from '../webhook-sender.js';
import { signatureOf } from './signature.js';

export interface PlivoRequest {
  purpose: Purpose;
  callId: string;
  url: string;
  form: Readonly<Record<string, string>>;
}

export interface PlivoRequestParts {
  clock: Clock;
  authToken: string;
  sender: WebhookSender;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/** How often an address is tried. Source: Plivo, "Callbacks". */
const TRIES = 3;

/** The requests for one call, each after the answer of the one before; a delayed one steps aside. */
export class PlivoRequests {
  readonly #parts: PlivoRequestParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: PlivoRequestParts) {
    this.#parts = parts;
  }

  /** The answer of the service; null when there is none. */
  send(request: PlivoRequest): Promise<ServiceAnswer | null> {
    const { purpose, callId, form } = request;
    const { clock, faults, pending, closing } = this.#parts;
    const status = form['CallStatus'] ?? '';
    const to = form['To'] ?? '';
    const { copies, delayMs } = faults.travelOf({ purpose, callSid: callId, to, status });
    if (delayMs > 0)
      return sleep(clock, delayMs, closing).then(() => pending.during(this.#deliver(request, copies)));
    const answer = pending.during(this.#last.then(() => this.#deliver(request, copies)));
    this.#last = answer;
    return answer;
  }

  /** Every copy is a message of its own, with another nonce. */
  async #deliver(request: PlivoRequest, copies: number): Promise<ServiceAnswer | null> {
    let answer: ServiceAnswer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++)
      answer = await this.#exchange(request);
    return answer;
  }

  async #exchange(request: PlivoRequest): Promise<ServiceAnswer | null> {
    const { log, closing } = this.#parts;
    const { purpose, callId, url } = request;
    const form = new URLSearchParams(request.form);
    let answer: ServiceAnswer | null = null;
    for (let tries = 0; answer === null && tries < TRIES && !closing.aborted; tries++)
      answer = await this.#try(url, form);
    const status = answer?.status ?? null;
    log.add({ kind: 'sent', purpose, callSid: callId, url, form: formObject(form), status });
    if (status === null || status >= 300)
      log.complain(status ?? 0, `${purpose}: the service answered ${status ?? 'nothing'}`);
    return answer;
  }

  async #try(url: string, form: URLSearchParams): Promise<ServiceAnswer | null> {
    const { authToken, sender } = this.#parts;
    const nonce = String(randomInt(2 ** 47));
    const signature = signatureOf(authToken, { url, form, nonce });
    const headers = {
      'content-type': 'application/x-www-form-urlencoded',
      'user-agent': 'Plivo',
      'x-plivo-signature-v3': signature,
      'x-plivo-signature-ma-v3': signature,
      'x-plivo-signature-v3-nonce': nonce,
    };
    return sender.send({ method: 'POST', url, headers, body: form.toString() }).catch(() => null);
  }
}
