import { randomInt } from 'node:crypto';
import { formObject } from '#test/support/emulators/emulator-log.js';
import type { Purpose } from '#test/support/emulators/faults.js';
import { RequestTurns, type RequestParts } from '#test/support/emulators/request-turns.js';
import type { ServiceAnswer, WebhookSender } from '#test/support/emulators/webhook-sender.js';
import { signatureOf } from './signature.js';

export interface PlivoRequest {
  purpose: Purpose;
  callId: string;
  url: string;
  form: Readonly<Record<string, string>>;
}

export interface PlivoRequestParts extends RequestParts {
  authToken: string;
  sender: WebhookSender;
}

/** Delivery attempts per URL. Source: Plivo, "Callbacks". */
const TRIES = 3;

/** The requests to the service for one call. */
export class PlivoRequests {
  readonly #parts: PlivoRequestParts;
  readonly #turns: RequestTurns;

  constructor(parts: PlivoRequestParts) {
    this.#parts = parts;
    this.#turns = new RequestTurns(parts);
  }

  /** The answer of the service; null if there is none. Every copy is a separate message with another nonce. */
  send(request: PlivoRequest): Promise<ServiceAnswer | null> {
    const { purpose, callId, form } = request;
    const status = form['CallStatus'] ?? '';
    const to = form['To'] ?? '';
    const travel = this.#parts.faults.travelOf({ purpose, callSid: callId, to, status });
    return this.#turns.take(travel, () => this.#exchange(request));
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
