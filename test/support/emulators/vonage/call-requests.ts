import { randomUUID } from 'node:crypto';
import { sleep, type Clock } from '../../../../src/kernel/clock.js';
import type { EmulatorLog } from '../emulator-log.js';
import type { PendingWork } from '../pending-work.js';
import type { CallbackTravel, Faults, Purpose } from '../faults.js';
import type { ServiceAnswer, WebhookSender } from '../webhook-sender.js';
import { callbackToken, type CallbackAccount } from './tokens.js';

/** What is told: JSON on one level, or a query. */
export type EventContent = Readonly<Record<string, string | number | null>>;

export interface CallRequest {
  purpose: Purpose;
  callUuid: string;
  /** The number that the call goes to, whichever of its legs this is about. */
  to: string;
  url: string;
  method: 'GET' | 'POST';
  content: EventContent;
}

export interface CallRequestParts {
  clock: Clock;
  account: CallbackAccount;
  sender: WebhookSender;
  log: EmulatorLog;
  pending: PendingWork;
  faults: Faults;
  /** Aborted when the carrier closes: what is on its way does not arrive any more. */
  closing: AbortSignal;
}

/** Answers after which a request is made once more. */
const TRIED_AGAIN: ReadonlySet<number> = new Set([429, 503, 504]);

/**
 * The requests that are made of the service for one call. Events come one after the other, so that without faults they
 * arrive in the order of what happened; a delayed one steps aside. Requests for an NCCO wait for nobody.
 */
export class CallRequests {
  readonly #parts: CallRequestParts;
  #last: Promise<unknown> = Promise.resolve();

  constructor(parts: CallRequestParts) {
    this.#parts = parts;
  }

  /** Sends an event when those before it are answered; null when there is no answer. */
  tell(request: CallRequest): Promise<ServiceAnswer | null> {
    const { clock, pending, closing } = this.#parts;
    const { copies, delayMs } = this.#travel(request);
    if (delayMs > 0)
      return sleep(clock, delayMs, closing).then(() => pending.during(this.#deliver(request, copies)));
    const answer = pending.during(this.#last.then(() => this.#deliver(request, copies)));
    this.#last = answer;
    return answer;
  }

  /** Asks for an NCCO. */
  ask(request: CallRequest): Promise<ServiceAnswer | null> {
    return this.#parts.pending.during(this.#deliver(request, this.#travel(request).copies));
  }

  #travel({ purpose, callUuid, to, content }: CallRequest): Required<CallbackTravel> {
    const about = { purpose, callSid: callUuid, to, status: String(content['status'] ?? '') };
    return this.#parts.faults.travelOf(about);
  }

  async #deliver(request: CallRequest, copies: number): Promise<ServiceAnswer | null> {
    const tokenId = randomUUID();
    let answer: ServiceAnswer | null = null;
    for (let copy = 0; copy < copies && !this.#parts.closing.aborted; copy++)
      answer = await this.#exchange(request, tokenId);
    return answer;
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
  return Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)]));
}
