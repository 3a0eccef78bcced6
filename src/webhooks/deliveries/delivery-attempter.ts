import type { ModuleContext } from '#store/module-context.js';
import type { EventType, NotificationType } from '#events/event-types.js';
import type { AttemptEnd } from './attempt-end.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { OUTCOMES } from './outcome.js';
import type { SendAttempt, AttemptRequest, AttemptResult } from './http-attempt.js';
import { readRetryAfter } from '#kernel/input/retry-after.js';
import { retryDelayMs } from '#webhooks/registrations/retry-policy.js';
import { signatureHeaders } from './signature.js';
import { previousSecret } from '#webhooks/registrations/webhook.js';

/** Headers of every request to a receiver. */
export const COMMON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Callwright/1.0',
  'accept-encoding': 'identity',
};
/** Random bytes for the jitter of the delay before a retry. */
const RANDOM_BYTES = 4;
/** Status codes for which `Retry-After` counts (RFC 6585, RFC 9110). */
const STATUSES_WITH_RETRY_AFTER = new Set<number | null>([429, 503]);

/** An attempt by request of a client. If it fails, a pending delivery waits for its due time as before. */
export interface ManualAttempt {
  /**
   * When the delivery is due (epoch milliseconds). Null if it was finished, and for a test: after a failure its status
   * is `failed`.
   */
  nextAt: number | null;
}

/** A finished attempt and the new status of its delivery, for the live stream of the console. */
export interface DeliveryReport {
  workspace: string;
  webhook_id: string;
  event_type: EventType | NotificationType;
  status: AttemptEnd['status'];
  attempt: number;
}

/** The dependencies of {@link DeliveryAttempter}. */
export interface DeliveryAttempterParts extends Pick<ModuleContext, 'clock' | 'ids'> {
  send: SendAttempt;
  /** Called after each finished attempt, before its end is stored; must not block. */
  onAttempt(report: DeliveryReport): void;
}

/**
 * Makes one attempt of a delivery: signs and sends the request, and decides the next state of the delivery. It stores
 * nothing; its callers, `Sender` and `createDeliveries`, do.
 */
export class DeliveryAttempter {
  readonly #parts: DeliveryAttempterParts;

  constructor(parts: DeliveryAttempterParts) {
    this.#parts = parts;
  }

  /**
   * @param stop aborts the attempt
   * @returns the end of the attempt, with the next state of the delivery; null if it was aborted
   */
  async attempt(
    delivery: ClaimedDelivery,
    stop: AbortSignal,
    manual: ManualAttempt | null = null,
  ): Promise<AttemptEnd | null> {
    const { clock, send } = this.#parts;
    const startedAt = clock.wallMs();
    const startedMs = clock.monotonicMs();
    const result = await send(requestOf(delivery, startedAt), stop);
    const { outcome } = result;
    if (outcome === 'stopped') return null;
    const endedAt = clock.wallMs();
    const next = this.#nextState(delivery, { ...result, outcome }, endedAt, manual);
    const attempt = delivery.attempts + 1;
    this.#report(delivery, { status: next.status, attempt });
    return {
      id: delivery.id,
      webhookId: delivery.webhook_id,
      leaseUntil: delivery.lease_until,
      attempt,
      tries: delivery.tries + (manual ? 0 : 1),
      startedAt,
      endedAt,
      durationMs: Math.round(clock.monotonicMs() - startedMs),
      outcome,
      statusCode: result.statusCode,
      responseBody: result.responseBody,
      isManual: manual !== null,
      switchOff: OUTCOMES[outcome] === 'switch_off',
      ...next,
    };
  }

  /** Announces a finished attempt to the listener. */
  #report(delivery: ClaimedDelivery, end: Pick<DeliveryReport, 'status' | 'attempt'>): void {
    const { webhook_id, event_type, endpoint } = delivery;
    const { workspace } = endpoint;
    this.#parts.onAttempt({
      workspace,
      webhook_id,
      event_type: event_type as DeliveryReport['event_type'],
      ...end,
    });
  }

  /** The next state of the delivery after an attempt with this result. */
  #nextState(
    delivery: ClaimedDelivery,
    { outcome, statusCode, retryAfter }: AttemptResult & { outcome: keyof typeof OUTCOMES },
    endedAt: number,
    manual: ManualAttempt | null,
  ): Pick<AttemptEnd, 'status' | 'nextAt'> {
    const consequence = OUTCOMES[outcome];
    if (consequence === 'delivered') return { status: 'delivered', nextAt: null };
    if (manual) return { status: manual.nextAt === null ? 'failed' : 'pending', nextAt: manual.nextAt };
    if (consequence !== 'retry') return { status: 'failed', nextAt: null };
    // A random number from 0 to below 1.
    const chance = this.#parts.ids.secret(RANDOM_BYTES).readUInt32BE() / 2 ** 32;
    const askedMs = STATUSES_WITH_RETRY_AFTER.has(statusCode) ? readRetryAfter(retryAfter, endedAt) : null;
    const delayMs = retryDelayMs(delivery.endpoint.retry_policy, delivery.tries + 1, { chance, askedMs });
    return delayMs === null
      ? { status: 'failed', nextAt: null }
      : { status: 'pending', nextAt: endedAt + delayMs };
  }
}

/** The request of an attempt: the stored body, unchanged, and its headers. */
function requestOf(delivery: ClaimedDelivery, now: number): AttemptRequest {
  const timestampSeconds = Math.floor(now / 1_000);
  const { endpoint, message } = delivery;
  // Encoded once: the bytes are needed for the signatures and for the request.
  const body = Buffer.from(message.body);
  const secrets = { current: endpoint.secret, previous: previousSecret(endpoint, now) };
  return {
    url: endpoint.url,
    body,
    headers: {
      ...endpoint.headers,
      ...deliveryHeaders(delivery),
      'x-service-timestamp': String(timestampSeconds),
      ...signatureHeaders(secrets, { id: message.id, timestampSeconds, body }),
    },
  };
}

/** The headers that all attempts of a delivery share: without timestamp and signatures. The delivery log shows them. */
export function deliveryHeaders(
  delivery: Pick<ClaimedDelivery, 'id' | 'webhook_id' | 'event_type'>,
): Record<string, string> {
  return {
    'x-service-event': delivery.event_type,
    'x-service-delivery': delivery.id,
    'x-service-webhook': delivery.webhook_id,
    ...COMMON_HEADERS,
  };
}
