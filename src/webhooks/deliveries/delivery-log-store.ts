import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { enqueueDelivery } from './delivery-queue.js';
import { Problem } from '#kernel/errors/errors.js';
import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { newestFirst } from '#store/statements/newest-first.js';
import { writeAddressedEvent } from '#events/outbox.js';
import type { Cursor, Page } from '#store/page.js';
import { placeholders } from '#store/statements/placeholders.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { AttemptRow, DeliveryRow, type DeliveryStatus } from './delivery.js';
import { CLAIM_COLUMNS, withContents, type ClaimedDelivery } from './claimed-delivery.js';
import { requireWebhook, type WebhookKey } from '#webhooks/registrations/webhook-store.js';

/** Filters of a list of deliveries; instants are epoch milliseconds. */
export interface DeliveryFilter extends CreationFilter {
  workspace: string;
  webhookIds?: readonly string[] | undefined;
  eventTypes?: readonly string[] | undefined;
  /** Any of these states. */
  statuses?: readonly ShownStatus[] | undefined;
  /** The ids of the calls, batches, schedules or (for test events) webhooks that the events are about. */
  subjectIds?: readonly string[] | undefined;
}

/** The states of a delivery in the API; {@link STATUS_CONDITIONS} defines them by the states of the row. */
export const SHOWN_STATUSES = ['pending', 'retrying', 'delivered', 'failed', 'cancelled'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** A delivery with its attempts in order, and the body of its requests (JSON text). */
export interface DeliveryRecord {
  delivery: DeliveryRow;
  attempts: AttemptRow[];
  body: string;
}

/**
 * Deliveries with the URL and retry policy of their webhook and with their last attempt, as a `DeliveryRow` has them.
 */
const WITH_LAST_ATTEMPT = `select deliveries.*, webhooks.url, webhooks.retry_policy, last.started_at,
    last.duration_ms, last.outcome, last.status_code, last.response_body
  from deliveries join webhooks on webhooks.id = deliveries.webhook_id
  left join delivery_attempts last on last.delivery_id = deliveries.id and last.attempt = deliveries.attempts`;

/** The condition of each state of the API. A delivery that is being sent counts as pending or retrying. */
const STATUS_CONDITIONS: Readonly<Record<ShownStatus, string>> = {
  pending: `(deliveries.status in ('pending', 'sending') and attempts = 0)`,
  retrying: `(deliveries.status in ('pending', 'sending') and attempts > 0)`,
  delivered: `deliveries.status = 'delivered'`,
  failed: `deliveries.status = 'failed'`,
  cancelled: `deliveries.status = 'cancelled'`,
};

/**
 * Transactions of the delivery log: reads, and the actions that a client can request (resend, test, replay). For
 * `createDeliveries`; the automatic sending is in `deliveryTransactions`.
 */
export const deliveryLogTransactions = defineTransactions('delivery_log', {
  /** A page of deliveries, newest first. */
  async list(
    tx,
    args: { filter: DeliveryFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<DeliveryRow>> {
    const conditions = conditionsOf(args.filter);
    const query = { ...args, select: WITH_LAST_ATTEMPT, table: 'deliveries', conditions };
    return newestFirst(tx, query, (row) => DeliveryRow.parse(row));
  },

  /** One delivery. @throws Problem `delivery_not_found` */
  async get(tx, args: { workspace: string; id: string }): Promise<DeliveryRecord> {
    const row = await tx.get(
      `${WITH_LAST_ATTEMPT} where deliveries.id = ? and deliveries.workspace = ?`,
      args.id,
      args.workspace,
    );
    if (!row) throw deliveryNotFound();
    const delivery = DeliveryRow.parse(row);
    const attempts = await tx.all(
      'select * from delivery_attempts where delivery_id = ? order by attempt',
      delivery.id,
    );
    const event = await tx.get('select body from events where id = ?', delivery.event_id);
    return {
      delivery,
      attempts: attempts.map((attempt) => AttemptRow.parse(attempt)),
      body: String(event?.['body']),
    };
  },

  /**
   * Claims a delivery in any state, to send it at once.
   * @throws Problem `delivery_not_found`, or `invalid_state` while it is being sent or when its webhook was deleted
   */
  async claimForResend(
    tx,
    args: { workspace: string; id: string; leaseUntil: number },
  ): Promise<ManualClaim> {
    const row = await tx.get(
      `select status, next_at, webhook_id from deliveries where id = ? and workspace = ?${tx.dialect.forUpdate}`,
      args.id,
      args.workspace,
    );
    if (!row) throw deliveryNotFound();
    const webhook = await tx.get('select deleted_at from webhooks where id = ?', String(row['webhook_id']));
    if (webhook?.['deleted_at'] !== null)
      throw new Problem('invalid_state', 'The webhook of this delivery was deleted.');
    if (row['status'] === 'sending')
      throw new Problem('invalid_state', 'This delivery is being sent right now.');
    return { claimed: await claimById(tx, args), nextAt: numberOrNull(row['next_at']) };
  },

  /**
   * Creates a test event for one webhook and claims its delivery. Without a `next_at` the delivery is not retried.
   * @throws Problem `webhook_not_found`
   */
  async createTest(
    tx,
    args: WebhookKey & { eventId: string; type: string; body: string; at: number; leaseUntil: number },
  ): Promise<ManualClaim> {
    const webhook = await requireWebhook(tx, args);
    const { eventId: id, type, body, workspace, at } = args;
    writeAddressedEvent(tx, { id, workspace, type, subjectId: webhook.id, body, at });
    const delivery = { id, workspace, webhookId: webhook.id, type, subjectId: webhook.id, at };
    const deliveryId = enqueueDelivery(tx, delivery);
    await tx.run('update deliveries set next_at = null where id = ?', deliveryId);
    return { claimed: await claimById(tx, { ...args, id: deliveryId }), nextAt: null };
  },

  /**
   * Queues a slice of finished deliveries again, each with all of its retries. Returns the number queued so far, and
   * the last id of the slice; the id is null after the last slice, which also stores the idempotent response.
   * @throws Problem `webhook_not_found`, or `invalid_state` if the webhook is not active
   */
  async replay(tx, args: ReplaySlice): Promise<{ queued: number; after: string | null }> {
    const webhook = await requireWebhook(tx, args);
    if (!webhook.active) throw new Problem('invalid_state', 'This webhook is not active.');
    const rows = await tx.all(
      `select id from deliveries where webhook_id = ? and status = ? and created_at >= ? and created_at < ?
         and id > ? order by id limit ?`,
      webhook.id,
      args.status,
      args.since,
      args.until,
      args.after ?? '',
      args.limit,
    );
    const ids = rows.map((row) => String(row['id']));
    const queued = args.queued + (await requeue(tx, ids, args));
    const after = ids.length < args.limit ? null : ids.at(-1)!;
    if (after === null && args.answer)
      await keepAnswer(tx, { ...args.answer, body: JSON.stringify({ queued }) });
    return { queued, after };
  },
});

/**
 * A delivery claimed by request of a client. `nextAt`: when it is due anyway (epoch milliseconds); null if it was
 * finished, and for a test.
 */
export interface ManualClaim {
  claimed: ClaimedDelivery;
  nextAt: number | null;
}

/** One slice of a replay, for one transaction; instants are epoch milliseconds. */
export interface ReplaySlice extends WebhookKey {
  status: Extract<DeliveryStatus, 'failed' | 'cancelled' | 'delivered'>;
  since: number;
  until: number;
  /** The last delivery of the previous slice; null for the first slice. */
  after: string | null;
  limit: number;
  now: number;
  /** How many deliveries the previous slices have queued. */
  queued: number;
  /** For requests with an `Idempotency-Key`. */
  answer: IdempotentAnswer | null;
}

/**
 * Queues the deliveries that still have the status, and returns their number. `tries`, which the retry policy counts,
 * starts at 0 again; `attempts`, which numbers the attempts, goes on.
 */
async function requeue(tx: Tx, ids: readonly string[], { now, status }: ReplaySlice): Promise<number> {
  if (ids.length === 0) return 0;
  return tx.run(
    `update deliveries set status = 'pending', tries = 0, next_at = ?, finished_at = null
     where id in (${placeholders(ids)}) and status = ?`,
    now,
    ...ids,
    status,
  );
}

/** Claims a delivery; the caller has checked its state. */
async function claimById(tx: Tx, args: { id: string; leaseUntil: number }): Promise<ClaimedDelivery> {
  const rows = await tx.all(
    `update deliveries set status = 'sending', lease_until = ? where id = ? returning ${CLAIM_COLUMNS}`,
    args.leaseUntil,
    args.id,
  );
  const [claimed] = await withContents(tx, rows);
  return claimed!;
}

function numberOrNull(value: unknown): number | null {
  return typeof value === 'number' ? value : null;
}

function deliveryNotFound(): Problem {
  return new Problem('delivery_not_found', 'There is no delivery with this id.');
}

/** The conditions of a filter; null for a field without a condition. */
function conditionsOf(filter: DeliveryFilter): (Condition | null)[] {
  const { statuses } = filter;
  return [
    ['deliveries.workspace = ?', filter.workspace],
    anyOf('deliveries.webhook_id', filter.webhookIds),
    anyOf('deliveries.event_type', filter.eventTypes),
    anyOf('deliveries.subject_id', filter.subjectIds),
    statuses ? [`(${statuses.map((status) => STATUS_CONDITIONS[status]).join(' or ')})`] : null,
  ];
}
