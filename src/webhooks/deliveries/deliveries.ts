import type { ModuleContext } from '#store/module-context.js';
import {
  idempotencyTransactions,
  type IdempotentAnswer,
  type KeepAnswer,
} from '#idempotency/idempotency-store.js';
import { envelopeOf } from '#events/envelope.js';
import { exampleData } from '#events/event-catalogue.js';
import type { EventType } from '#events/event-types.js';
import type { Cursor, Page } from '#store/page.js';
import type { DeliveryAttempter } from './delivery-attempter.js';
import {
  deliveryLogTransactions,
  type DeliveryFilter,
  type ReplaySlice,
  type ManualClaim,
} from './delivery-log-store.js';
import {
  toDeliveryDetail,
  toDeliveryResource,
  type DeliveryDetail,
  type DeliveryResource,
} from './delivery-resource.js';
import { deliveryTransactions } from './delivery-store.js';
import {
  webhookNotFound,
  webhookTransactions,
  type WebhookKey,
} from '#webhooks/registrations/webhook-store.js';

/** Which deliveries to send again; instants are epoch milliseconds. */
export interface Replay extends Pick<ReplaySlice, 'status' | 'since'> {
  /** Null: until now. */
  until: number | null;
}

/** The result of a replay: how many deliveries were queued again. */
export interface Replayed {
  queued: number;
}

/**
 * The delivery log and its actions, for the routes of deliveries and webhooks. A delivery or webhook of another
 * workspace is unknown: `delivery_not_found`, `webhook_not_found`.
 */
export interface Deliveries {
  /** The log of a workspace, newest first. */
  list(filter: DeliveryFilter, cursor: Cursor | null, limit: number): Promise<Page<DeliveryResource>>;
  /** The log of one webhook, also of a deleted webhook. @throws Problem `webhook_not_found` */
  listOf(
    key: WebhookKey,
    filter: Omit<DeliveryFilter, 'workspace' | 'webhookIds'>,
    cursor: Cursor | null,
    limit: number,
  ): Promise<Page<DeliveryResource>>;
  /** One delivery with all its attempts. @throws Problem `delivery_not_found` */
  get(key: { workspace: string; id: string }): Promise<DeliveryDetail>;
  /**
   * Sends a delivery again at once, whether it is pending or finished. Resolves with the result of the attempt.
   * @param keep makes the response that is stored for a repeated request with the same idempotency key
   * @throws Problem `delivery_not_found`; `invalid_state` while it is being sent, or when its webhook was deleted
   */
  resend(
    key: { workspace: string; id: string },
    keep: KeepAnswer<DeliveryResource>,
  ): Promise<DeliveryResource>;
  /**
   * Sends a test event with example data to one webhook at once, without retries. Resolves with the result.
   * @throws Problem `webhook_not_found`
   */
  test(key: WebhookKey, type: EventType, keep: KeepAnswer<DeliveryResource>): Promise<DeliveryResource>;
  /**
   * Queues the finished deliveries of a webhook with a status again, in slices.
   * @param answer the idempotent response, stored with the last slice, which sets its body; null without a key
   * @throws Problem `invalid_state` for an inactive webhook
   */
  replay(key: WebhookKey, replay: Replay, answer: IdempotentAnswer | null): Promise<Replayed>;
}

/** Deliveries that one transaction of a replay queues: few enough that other transactions do not wait long. */
const REPLAY_SLICE = 500;

/** The dependencies of {@link Deliveries}. */
export interface DeliveriesParts extends Pick<ModuleContext, 'store' | 'clock' | 'ids'> {
  attempter: DeliveryAttempter;
  /** The end of the lease of a claim made at an instant (epoch milliseconds). */
  leaseUntil(now: number): number;
  /** Wakes the sender. */
  wake(): void;
}

/** Creates the delivery log and its actions; `WebhookService` is the only caller. */
export function createDeliveries(parts: DeliveriesParts): Deliveries {
  const { store, clock, ids, attempter } = parts;
  /** Attempts by request are never aborted. */
  const never = new AbortController().signal;

  /** Sends a claimed delivery; the client's request waits for the outcome. */
  const sendNow = async (
    { claimed, nextAt }: ManualClaim,
    workspace: string,
    keep: KeepAnswer<DeliveryResource>,
  ) => {
    const end = await attempter.attempt(claimed, never, { nextAt });
    if (end) await store.write(deliveryTransactions.finish, { ends: [end] });
    const { delivery } = await store.read(deliveryLogTransactions.get, { workspace, id: claimed.id });
    const resource = toDeliveryResource(delivery);
    const answer = keep(resource);
    if (answer) await store.write(idempotencyTransactions.keep, { answer });
    return resource;
  };

  const list: Deliveries['list'] = async (filter, cursor, limit) => {
    const page = await store.read(deliveryLogTransactions.list, { filter, cursor, limit });
    return { items: page.items.map(toDeliveryResource), next: page.next };
  };

  return {
    list,
    async listOf(key, filter, cursor, limit) {
      if (!(await store.read(webhookTransactions.isKnown, key))) throw webhookNotFound();
      return list({ ...filter, workspace: key.workspace, webhookIds: [key.id] }, cursor, limit);
    },
    get: async (key) => toDeliveryDetail(await store.read(deliveryLogTransactions.get, key)),
    async resend(key, keep) {
      const leaseUntil = parts.leaseUntil(clock.wallMs());
      return sendNow(
        await store.write(deliveryLogTransactions.claimForResend, { ...key, leaseUntil }),
        key.workspace,
        keep,
      );
    },
    async test(key, type, keep) {
      const at = clock.wallMs();
      const eventId = ids.next('evt');
      const body = envelopeOf({ id: eventId, type, at, data: exampleData(type) });
      const sample = { ...key, eventId, type, body, at, leaseUntil: parts.leaseUntil(at) };
      return sendNow(await store.write(deliveryLogTransactions.createTest, sample), key.workspace, keep);
    },
    async replay(key, replay, answer) {
      const queued = await replayAll({ ...key, ...replay }, answer, parts);
      parts.wake();
      return { queued };
    },
  };
}

/** Queues deliveries again, slice by slice; returns how many. */
async function replayAll(
  selection: WebhookKey & Replay,
  answer: IdempotentAnswer | null,
  { store, clock }: DeliveriesParts,
): Promise<number> {
  // The end is exclusive: `+ 1` includes deliveries of this millisecond.
  const until = selection.until ?? clock.wallMs() + 1;
  let progress: { queued: number; after: string | null } = { queued: 0, after: null };
  do {
    const slice: ReplaySlice = {
      ...selection,
      ...progress,
      until,
      answer,
      limit: REPLAY_SLICE,
      now: clock.wallMs(),
    };
    progress = await store.write(deliveryLogTransactions.replay, slice);
  } while (progress.after !== null);
  return progress.queued;
}
