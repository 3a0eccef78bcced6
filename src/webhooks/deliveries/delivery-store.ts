import { countedAtMost } from '#store/statements/counted.js';
import { LIMIT } from '#store/statements/limit.js';
import { defineUnits, type SqlRow, type Tx } from '#store/unit.js';
import { writeOutcome, type AttemptEnd } from './attempt-end.js';
import { readQueues, type WebhookQueue } from './webhook-queues.js';
import { CLAIM_COLUMNS, withContents, type ClaimedDelivery } from './claimed-delivery.js';
import { PROBE_EVERY_MS } from '#webhooks/registrations/webhook.js';

/** So many are cancelled at once when a webhook was switched off: nobody else must wait for it. */
const CANCEL_SLICE = 500;

/** Of so many webhooks it is told how long something waits for them. */
const WEBHOOKS_LOOKED_AT = 1_000;

/**
 * Deliveries on their way, counted as far as {@link countedAtMost} does, and when the first was due (epoch
 * milliseconds).
 */
export interface DeliveryBacklog {
  pending: number;
  /** For receivers that answer, and for those that have not for a while and are only probed. */
  oldestDueAt: Record<'answering' | 'failing', number | null>;
}

/** How many more may be taken, and how many may be in hand for each webhook. */
export interface ClaimCapacity {
  /** So many may be under way beside those that are. */
  places: number;
  each: number;
  /** So many more, which take no place, for those webhooks that take at once what they get. */
  ahead: { most: number; of: readonly string[] };
  /** No more than this, whatever there is room for. */
  most: number;
  /** What is in hand now, by webhook. */
  inHand: Readonly<Record<string, number>>;
}

/** In the order of their index, which is what they are then counted in. */
const PENDING_IN_ORDER = `deliveries where status = 'pending' order by webhook_id, next_at, id`;

/** Back to the queue, or, for one that was over and sent again on request, to how it had ended. */
const GIVE_BACK = `update deliveries set lease_until = null, status = case
  when next_at is not null then 'pending'
  when exists (select 1 from delivery_attempts where delivery_id = deliveries.id and outcome = 'success')
    then 'delivered'
  else 'failed' end`;

export const deliveryUnits = defineUnits('deliveries', {
  /**
   * Takes what is due, and of each webhook no more than there is room for. First comes who has least in hand, then who
   * has waited longest: those that are slow and have much waiting keep no place for themselves.
   */
  async claim(
    tx,
    args: { now: number; leaseUntil: number; capacity: ClaimCapacity },
  ): Promise<ClaimedDelivery[]> {
    const { now, leaseUntil, capacity } = args;
    const inHandOf = ({ webhookId }: WebhookQueue) => capacity.inHand[webhookId] ?? 0;
    const due = (await readQueues(tx)).filter(({ dueAt }) => dueAt <= now);
    const taken: SqlRow[] = [];
    let { places } = capacity;
    let isShort = false;
    for (const queue of due.toSorted((a, b) => inHandOf(a) - inHandOf(b))) {
      const { webhookId, isProbed } = queue;
      if (queue.isClosed) {
        await cancelSome(tx, webhookId, now);
        continue;
      }
      const free = (isProbed ? 1 : capacity.each) - inHandOf(queue);
      // Nobody gets anything ahead while another waits for a place.
      isShort ||= free > places;
      const ahead = !isShort && !isProbed && capacity.ahead.of.includes(webhookId) ? capacity.ahead.most : 0;
      const limit = Math.min(Math.min(free, places) + ahead, capacity.most - taken.length);
      if (limit <= 0) continue;
      if (isProbed && !(await startProbe(tx, webhookId, now))) continue;
      const rows = await take(tx, { webhookId, now, leaseUntil, limit });
      taken.push(...rows);
      places -= Math.min(rows.length, Math.max(free, 0));
    }
    return withContents(tx, taken);
  },

  /** When there is something to claim for a webhook that is not in `full`; null when nothing waits. */
  async nextDueAt(tx, args: { full: readonly string[] }): Promise<number | null> {
    const queues = await readQueues(tx);
    return queues.find(({ webhookId }) => !args.full.includes(webhookId))?.dueAt ?? null;
  },

  /** What waits to be sent, retries among it; costs the same however much it is. */
  async backlog(tx): Promise<DeliveryBacklog> {
    const queues = (await readQueues(tx, WEBHOOKS_LOOKED_AT)).filter(({ isClosed }) => !isClosed);
    const oldest = (isFailing: boolean) => {
      const dueAt = queues.filter(({ isProbed }) => isProbed === isFailing).map((queue) => queue.oldestDueAt);
      return dueAt.length === 0 ? null : Math.min(...dueAt);
    };
    return {
      pending: await countedAtMost(tx, PENDING_IN_ORDER, []),
      oldestDueAt: { answering: oldest(false), failing: oldest(true) },
    };
  },

  /**
   * Writes down how attempts ended; false for each whose delivery is no longer in the hands of its claim. Webhook by
   * webhook, always in the same order: processes that do so at once wait for each other, and never in a circle.
   */
  async finish(tx, args: { ends: readonly AttemptEnd[] }): Promise<boolean[]> {
    const held = new Map<AttemptEnd, boolean>();
    const inOrder = args.ends.toSorted((a, b) =>
      a.webhookId < b.webhookId ? -1 : Number(a.webhookId > b.webhookId),
    );
    for (const end of inOrder) held.set(end, await writeOutcome(tx, end));
    return args.ends.map((end) => held.get(end)!);
  },

  /** Gives a delivery back that was not tried. */
  async release(tx, args: { id: string; leaseUntil: number }): Promise<void> {
    await tx.run(
      `${GIVE_BACK} where id = ? and status = 'sending' and lease_until = ?`,
      args.id,
      args.leaseUntil,
    );
  },

  /**
   * Gives back what a process had in hand that is gone. Its attempt is not counted: nobody knows how it ended. One that
   * stands still in the middle of writing that down must not hold up the others: its deliveries wait.
   */
  async reap(tx, args: { now: number }): Promise<void> {
    await tx.run(
      `${GIVE_BACK} where id in (
         select id from deliveries where status = 'sending' and lease_until <= ?${tx.dialect.skipLocked})`,
      args.now,
    );
  },

  /** On SQLite one process has the database for itself: what is in hand when it starts belongs to nobody. */
  async recover(tx): Promise<void> {
    if (tx.dialect.engine === 'sqlite') await tx.run(`${GIVE_BACK} where status = 'sending'`);
  },
});

async function take(
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

/** Of several processes one probes. */
async function startProbe(tx: Tx, webhookId: string, now: number): Promise<boolean> {
  const started = await tx.run(
    'update webhooks set probe_at = ? where id = ? and (probe_at is null or probe_at <= ?)',
    now + PROBE_EVERY_MS,
    webhookId,
    now,
  );
  return started === 1;
}

async function cancelSome(tx: Tx, webhookId: string, now: number): Promise<void> {
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
