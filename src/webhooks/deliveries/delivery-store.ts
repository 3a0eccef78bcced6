import { countUpToLimit } from '#store/statements/counted.js';
import { LIMIT } from '#store/statements/limit.js';
import { defineTransactions, type SqlRow, type Tx } from '#store/transaction.js';
import { writeOutcome, type AttemptEnd } from './attempt-end.js';
import { readQueues, type WebhookQueue } from './webhook-queues.js';
import { CLAIM_COLUMNS, withContents, type ClaimedDelivery } from './claimed-delivery.js';
import { PROBE_EVERY_MS } from '#webhooks/registrations/webhook.js';

/** How many deliveries of each inactive or deleted webhook a claim cancels, so that other transactions do not wait. */
const CANCEL_SLICE = 500;

/** The most queues that `backlog` reads. */
const MOST_BACKLOG_QUEUES = 1_000;

/**
 * The pending deliveries, for metrics: their number, up to the bound of {@link countUpToLimit}, and when the oldest was
 * due (epoch milliseconds; null without any).
 */
export interface DeliveryBacklog {
  pending: number;
  /** For healthy webhooks, and for failing webhooks, which are only probed. */
  oldestDueAt: Record<'answering' | 'failing', number | null>;
}

/** How many deliveries a claim may take, given the deliveries that this process has already claimed. */
export interface ClaimCapacity {
  /** Free places for requests. */
  places: number;
  /** The most claimed deliveries for each webhook. */
  each: number;
  /**
   * For each of the webhooks `of`, which answer quickly: up to `most` deliveries in addition to `each`. They wait for a
   * request to end, and take no place.
   */
  ahead: { most: number; of: readonly string[] };
  /** The most deliveries of this claim. */
  most: number;
  /** Claimed deliveries by webhook. */
  claimed: Readonly<Record<string, number>>;
}

/** The pending deliveries in the order of an index, so that counting them reads the index only. */
const PENDING_IN_ORDER = `deliveries where status = 'pending' order by webhook_id, next_at, id`;

/**
 * Releases claims. A delivery with `next_at` returns to the queue. A delivery without `next_at` (a test, or a finished
 * delivery that a client resends) becomes `delivered` if any of its attempts has succeeded, else `failed`.
 */
const RELEASE_CLAIM = `update deliveries set lease_until = null, status = case
  when next_at is not null then 'pending'
  when exists (select 1 from delivery_attempts where delivery_id = deliveries.id and outcome = 'success')
    then 'delivered'
  else 'failed' end`;

/**
 * Transactions of the delivery queue, for `Sender`; also for `createDeliveries` (`finish`) and `WebhookService`
 * (`backlog`).
 */
export const deliveryTransactions = defineTransactions('deliveries', {
  /**
   * Claims due deliveries, for each webhook up to its limit. Webhooks with the fewest claimed deliveries come first,
   * then those that waited longest: a slow webhook with a long queue cannot occupy all places. Due deliveries of
   * inactive and deleted webhooks are cancelled.
   */
  async claim(
    tx,
    args: { now: number; leaseUntil: number; capacity: ClaimCapacity },
  ): Promise<ClaimedDelivery[]> {
    const { now, leaseUntil, capacity } = args;
    const claimedOf = ({ webhookId }: WebhookQueue) => capacity.claimed[webhookId] ?? 0;
    // The sort is stable: of webhooks with equally many claims, the webhook that waited longest stays first.
    const due = (await readQueues(tx)).filter(({ dueAt }) => dueAt <= now);
    const claimedRows: SqlRow[] = [];
    let { places } = capacity;
    let isPlaceShort = false;
    for (const queue of due.toSorted((a, b) => claimedOf(a) - claimedOf(b))) {
      const { webhookId, isProbed } = queue;
      if (queue.isClosed) {
        await cancelSlice(tx, webhookId, now);
        continue;
      }
      const free = (isProbed ? 1 : capacity.each) - claimedOf(queue);
      // While another webhook waits for a place, no deliveries are claimed ahead.
      isPlaceShort ||= free > places;
      const ahead =
        !isPlaceShort && !isProbed && capacity.ahead.of.includes(webhookId) ? capacity.ahead.most : 0;
      const limit = Math.min(Math.min(free, places) + ahead, capacity.most - claimedRows.length);
      if (limit <= 0) continue;
      if (isProbed && !(await startProbe(tx, webhookId, now))) continue;
      const rows = await claimDue(tx, { webhookId, now, leaseUntil, limit });
      claimedRows.push(...rows);
      // Deliveries claimed ahead take no place.
      places -= Math.min(rows.length, Math.max(free, 0));
    }
    return withContents(tx, claimedRows);
  },

  /** When the next delivery is due (epoch milliseconds), without the webhooks in `full`; null when none waits. */
  async nextDueAt(tx, args: { full: readonly string[] }): Promise<number | null> {
    const queues = await readQueues(tx);
    return queues.find(({ webhookId }) => !args.full.includes(webhookId))?.dueAt ?? null;
  },

  /** Pending deliveries, including retries. The cost is bounded, whatever their number. */
  async backlog(tx): Promise<DeliveryBacklog> {
    const queues = (await readQueues(tx, MOST_BACKLOG_QUEUES)).filter(({ isClosed }) => !isClosed);
    const oldest = (isFailing: boolean) => {
      const dueAt = queues.filter(({ isProbed }) => isProbed === isFailing).map((queue) => queue.oldestDueAt);
      return dueAt.length === 0 ? null : Math.min(...dueAt);
    };
    return {
      pending: await countUpToLimit(tx, PENDING_IN_ORDER, []),
      oldestDueAt: { answering: oldest(false), failing: oldest(true) },
    };
  },

  /**
   * Stores the ends of attempts. The results are in the order of `ends`: false for an end whose claim has expired. All
   * processes update webhooks in the order of their ids, so that they cannot deadlock.
   */
  async finish(tx, args: { ends: readonly AttemptEnd[] }): Promise<boolean[]> {
    const wasStored = new Map<AttemptEnd, boolean>();
    const inOrder = args.ends.toSorted((a, b) =>
      a.webhookId < b.webhookId ? -1 : Number(a.webhookId > b.webhookId),
    );
    for (const end of inOrder) wasStored.set(end, await writeOutcome(tx, end));
    return args.ends.map((end) => wasStored.get(end)!);
  },

  /** Releases the claim of a delivery that was not attempted to the end; no effect if the claim has expired. */
  async release(tx, args: { id: string; leaseUntil: number }): Promise<void> {
    await tx.run(
      `${RELEASE_CLAIM} where id = ? and status = 'sending' and lease_until = ?`,
      args.id,
      args.leaseUntil,
    );
  },

  /**
   * Releases expired claims of processes that died. The attempt is not counted, as its end is unknown. Rows that a
   * stalled process has locked are skipped.
   */
  async reap(tx, args: { now: number }): Promise<void> {
    await tx.run(
      `${RELEASE_CLAIM} where id in (
         select id from deliveries where status = 'sending' and lease_until <= ?${tx.dialect.skipLocked})`,
      args.now,
    );
  },

  /** At a start on SQLite, which only one process uses: releases all claims, which a dead process has left. */
  async recover(tx): Promise<void> {
    if (tx.dialect.engine === 'sqlite') await tx.run(`${RELEASE_CLAIM} where status = 'sending'`);
  },
});

/** Claims the first due deliveries of a webhook. */
async function claimDue(
  tx: Tx,
  args: { webhookId: string; now: number; leaseUntil: number; limit: number },
): Promise<SqlRow[]> {
  return tx.all(
    `update deliveries set status = 'sending', lease_until = ?
     where id in (
       select id from deliveries where webhook_id = ? and status = 'pending' and next_at <= ?
       order by next_at, id ${LIMIT}${tx.dialect.skipLocked}
     ) returning ${CLAIM_COLUMNS}`,
    args.leaseUntil,
    args.webhookId,
    args.now,
    args.limit,
  );
}

/** Reserves the next probe of a webhook for this process; false if another process has it. */
async function startProbe(tx: Tx, webhookId: string, now: number): Promise<boolean> {
  const started = await tx.run(
    'update webhooks set probe_at = ? where id = ? and (probe_at is null or probe_at <= ?)',
    now + PROBE_EVERY_MS,
    webhookId,
    now,
  );
  return started === 1;
}

/** Cancels due deliveries of an inactive or deleted webhook. */
async function cancelSlice(tx: Tx, webhookId: string, now: number): Promise<void> {
  await tx.run(
    `update deliveries set status = 'cancelled', next_at = null, finished_at = ?
     where id in (select id from deliveries where webhook_id = ? and status = 'pending' and next_at <= ?
       order by next_at, id ${LIMIT}${tx.dialect.skipLocked})`,
    now,
    webhookId,
    now,
    CANCEL_SLICE,
  );
}
