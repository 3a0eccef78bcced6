import type { EventType, NotificationType } from '#events/event-types.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { AttemptEnd } from './attempt-end.js';
import type { ClaimedDelivery } from './claimed-delivery.js';
import { OUTCOMES } from './outcome.js';
import type { Post, PostRequest, PostResult } from './post.js';
import { readRetryAfter } from '#kernel/input/retry-after.js';
import { retryDelayMs } from '#webhooks/registrations/retry-policy.js';
import { signatureHeaders } from './signature.js';
import { previousSecret } from '#webhooks/registrations/webhook.js';

/** What every request to a receiver carries. */
export const COMMON_HEADERS = {
  'content-type': 'application/json; charset=utf-8',
  'user-agent': 'Callwright/1.0',
  'accept-encoding': 'identity',
};
const CHANCE_BYTES = 4;
/** Answers that may say when to come back (RFC 6585, RFC 9110); of others it means nothing. */
const MAY_ASK_FOR_TIME = new Set<number | null>([429, 503]);

/** Somebody asked for this attempt; without success the delivery goes on as if there had been none. */
export interface ManualAttempt {
  /** When it is due otherwise; null when it was over. */
  nextAt: number | null;
}

/** An attempt that is over, for whoever watches. */
export interface DeliveryReport {
  workspace: string;
  webhook_id: string;
  event_type: EventType | NotificationType;
  status: AttemptEnd['status'];
  attempt: number;
}

export interface DeliveryAttempterParts {
  post: Post;
  clock: Clock;
  ids: Ids;
  /** Must return at once. */
  onAttempt(report: DeliveryReport): void;
}

/** Makes one attempt of a delivery and says what becomes of it. Null: it was called off, and nothing is known. */
export class DeliveryAttempter {
  readonly #parts: DeliveryAttempterParts;

  constructor(parts: DeliveryAttempterParts) {
    this.#parts = parts;
  }

  async attempt(
    delivery: ClaimedDelivery,
    stop: AbortSignal,
    manual: ManualAttempt | null = null,
  ): Promise<AttemptEnd | null> {
    const { clock, post } = this.#parts;
    const startedAt = clock.wallMs();
    const startedMs = clock.monotonicMs();
    const result = await post(requestOf(delivery, startedAt), stop);
    const { outcome } = result;
    if (outcome === 'stopped') return null;
    const endedAt = clock.wallMs();
    const next = this.#next(delivery, { ...result, outcome }, endedAt, manual);
    const attempt = delivery.attempts + 1;
    this.#tell(delivery, { status: next.status, attempt });
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

  #tell(delivery: ClaimedDelivery, how: Pick<DeliveryReport, 'status' | 'attempt'>): void {
    const { webhook_id, event_type, endpoint } = delivery;
    const { workspace } = endpoint;
    this.#parts.onAttempt({
      workspace,
      webhook_id,
      event_type: event_type as DeliveryReport['event_type'],
      ...how,
    });
  }

  #next(
    delivery: ClaimedDelivery,
    { outcome, statusCode, retryAfter }: PostResult & { outcome: keyof typeof OUTCOMES },
    endedAt: number,
    manual: ManualAttempt | null,
  ): Pick<AttemptEnd, 'status' | 'nextAt'> {
    const consequence = OUTCOMES[outcome];
    if (consequence === 'delivered') return { status: 'delivered', nextAt: null };
    if (manual) return { status: manual.nextAt === null ? 'failed' : 'pending', nextAt: manual.nextAt };
    if (consequence !== 'retry') return { status: 'failed', nextAt: null };
    const chance = this.#parts.ids.secret(CHANCE_BYTES).readUInt32BE() / 2 ** 32;
    const askedMs = MAY_ASK_FOR_TIME.has(statusCode) ? readRetryAfter(retryAfter, endedAt) : null;
    const delayMs = retryDelayMs(delivery.endpoint.retry_policy, delivery.tries + 1, { chance, askedMs });
    return delayMs === null
      ? { status: 'failed', nextAt: null }
      : { status: 'pending', nextAt: endedAt + delayMs };
  }
}

/** What is sent: the stored body, unchanged, and the headers that say what it is. */
function requestOf(delivery: ClaimedDelivery, now: number): PostRequest {
  const timestampSeconds = Math.floor(now / 1_000);
  const { endpoint, message } = delivery;
  // Turned into bytes once: it is signed twice, and sent.
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

/** The headers that are the same in every attempt of a delivery. */
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
