import { randomUUID } from 'node:crypto';
import type { CallbackTravel, Purpose } from '#test/support/emulators/faults.js';
import { RequestTurns, type RequestParts } from '#test/support/emulators/request-turns.js';
import type { ServiceAnswer, WebhookSender } from '#test/support/emulators/webhook-sender.js';
import { callbackToken, type CallbackAccount } from './tokens.js';

/** The content of a request: JSON, or a query. Only a socket's headers are nested. */
export type EventContent = Readonly<
  Record<string, string | number | null | Readonly<Record<string, string>>>
>;

export interface CallRequest {
  purpose: Purpose;
  callUuid: string;
  /** The number called, whichever leg this is about. */
  to: string;
  url: string;
  method: 'GET' | 'POST';
  content: EventContent;
}

export interface CallRequestParts extends RequestParts {
  account: CallbackAccount;
  sender: WebhookSender;
}

/** Statuses after which a request is repeated. */
const TRIED_AGAIN: ReadonlySet<number> = new Set([429, 503, 504]);

/** The requests to the service for one call. Requests for an NCCO do not wait for earlier ones. */
export class CallRequests {
  readonly #parts: CallRequestParts;
  readonly #turns: RequestTurns;

  constructor(parts: CallRequestParts) {
    this.#parts = parts;
    this.#turns = new RequestTurns(parts);
  }

  /** Sends an event after earlier ones were answered; null if there is no answer. */
  tell(request: CallRequest): Promise<ServiceAnswer | null> {
    const tokenId = randomUUID();
    return this.#turns.take(this.#travel(request), () => this.#exchange(request, tokenId));
  }

  /** Requests an NCCO. */
  ask(request: CallRequest): Promise<ServiceAnswer | null> {
    const tokenId = randomUUID();
    return this.#turns.skip(this.#travel(request), () => this.#exchange(request, tokenId));
  }

  #travel({ purpose, callUuid, to, content }: CallRequest): Required<CallbackTravel> {
    const about = { purpose, callSid: callUuid, to, status: textsOf(content)['status'] ?? '' };
    return this.#parts.faults.travelOf(about);
  }

  async #exchange(request: CallRequest, tokenId: string): Promise<ServiceAnswer | null> {
    const { log } = this.#parts;
    const { purpose, callUuid, url, content } = request;
    let answer = await this.#try(request, tokenId);
    if (!answer || TRIED_AGAIN.has(answer.status)) answer = await this.#try(request, tokenId);
    const form = textsOf(content);
    log.add({ kind: 'sent', purpose, callSid: callUuid, url, form, status: answer?.status ?? null });
    if (!answer || answer.status >= 300)
      log.complain(answer?.status ?? 0, `${purpose}: the service gave no good answer`);
    return answer;
  }

  async #try({ method, url, content }: CallRequest, tokenId: string): Promise<ServiceAnswer | null> {
    const { clock, account, sender } = this.#parts;
    const query = new URLSearchParams(textsOf(content)).toString();
    const body = JSON.stringify(content);
    const token = callbackToken(account, body, { issuedAtMs: clock.wallMs(), id: tokenId });
    const headers = {
      authorization: `Bearer ${token}`,
      ...(method === 'POST' ? { 'content-type': 'application/json' } : {}),
    };
    try {
      return await sender.send({ method, url: method === 'GET' ? `${url}?${query}` : url, headers, body });
    } catch {
      return null;
    }
  }
}

function textsOf(content: EventContent): Record<string, string> {
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [
      name,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : String(value),
    ]),
  );
}
