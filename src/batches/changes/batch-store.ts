import { keepAnswer, type IdempotentAnswer } from '#idempotency/idempotency-store.js';
import { Problem } from '#kernel/errors/errors.js';
import { anyOf, type Condition, type CreationFilter } from '#store/statements/conditions.js';
import { newestFirst } from '#store/statements/newest-first.js';
import type { Cursor, Page } from '#store/page.js';
import { occursIn } from '#store/statements/search.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import { isOver } from '#batches/record/batch-machine.js';
import { changeBatch, IS_SHOWN, recipientsWhere, requireBatch } from '#batches/record/batch-rows.js';
import { NUMBERS_LISTED, NUMBERS_SHOWN, type BatchView } from './batch-resource.js';
import { BatchRow, readRecipient } from '#batches/record/batch.js';
import { onePerNumber } from '#batches/dispatch/waiting-numbers.js';
import { INITIAL_STATE } from '#batches/settling/circuit-breaker.js';

/** How many numbers one transaction requeues. */
const NUMBERS_PER_REQUEUE = 500;

/**
 * SQL condition: a recipient was not reached, or not called because the batch was aborted. Erased recipients are
 * excluded.
 */
const NOT_REACHED = `(status in ('failed', 'expired') or (status = 'cancelled' and reason = 'batch_aborted'))
  and phone_number <> ''`;

/** Filter of a list of batches; instants are epoch milliseconds. */
export interface BatchFilter extends CreationFilter {
  workspace: string;
  status?: readonly string[] | undefined;
  /** Searched in name and id. */
  search?: string | undefined;
}

/** Identifies a batch in the request of a client. */
interface BatchKey {
  workspace: string;
  id: string;
}

/** The transactions of `Batches`. An unknown batch is the problem `batch_not_found`. */
export const batchTransactions = defineTransactions('batches', {
  /** A batch with its first recipients. */
  async view(tx, args: BatchKey): Promise<BatchView> {
    return viewOf(tx, await requireBatch(tx, args));
  },

  /** A page of batches, newest first, each with a few recipients. */
  async list(
    tx,
    args: { filter: BatchFilter; cursor: Cursor | null; limit: number },
  ): Promise<Page<BatchView>> {
    const conditions = conditionsOf(args.filter);
    const select = 'select * from batches';
    const page = await newestFirst(tx, { ...args, select, conditions }, (row) => BatchRow.parse(row));
    const items: BatchView[] = [];
    for (const batch of page.items) items.push(await viewOf(tx, batch, NUMBERS_LISTED));
    return { items, next: page.next };
  },

  /** Pauses a batch; live calls continue. A paused batch stays as it is. */
  async pause(tx, args: BatchKey & { at: number; reason: string }): Promise<BatchView> {
    const batch = await requireBatch(tx, args, { lock: true });
    if (batch.status === 'paused') return viewOf(tx, batch);
    if (isOver(batch.status)) throw alreadyOver(batch);
    return viewOf(
      tx,
      await changeBatch(tx, batch, {
        status: 'paused',
        pause_reason: args.reason,
        // The dispatcher takes queued calls back at once.
        feed_at: args.at,
        updated_at: args.at,
      }),
    );
  },

  /** Resumes a paused batch. A batch that is not paused stays as it is. */
  async resume(tx, args: BatchKey & { at: number }): Promise<BatchView> {
    const batch = await requireBatch(tx, args, { lock: true });
    if (isOver(batch.status)) throw alreadyOver(batch);
    if (batch.status !== 'paused') return viewOf(tx, batch);
    return viewOf(tx, await changeBatch(tx, batch, { ...resumed(batch, args.at), updated_at: args.at }));
  },

  /** Cancels a batch. Its waiting numbers are closed afterwards, by the dispatcher; live calls continue. */
  async cancel(tx, args: BatchKey & { at: number }): Promise<void> {
    const batch = await requireBatch(tx, args, { lock: true });
    if (batch.status === 'cancelled') return;
    if (isOver(batch.status)) throw alreadyOver(batch);
    await changeBatch(tx, batch, {
      status: 'cancelled',
      pause_reason: null,
      // The dispatcher closes the waiting numbers at once.
      feed_at: args.at,
      updated_at: args.at,
    });
  },

  /**
   * Requeues the next unreached recipients after a position. Returns how many, and the last position that was examined;
   * null if no recipient is left. The idempotent answer is stored then, by the last of these transactions.
   */
  async retryFailed(
    tx,
    args: BatchKey & { after: number; at: number; answer: IdempotentAnswer | null },
  ): Promise<{ requeued: number; upTo: number } | null> {
    const batch = await requireBatch(tx, args, { lock: true });
    refuseUntilEnded(batch);
    const notReached = await recipientsWhere(
      tx,
      batch.id,
      `position > ? and ${NOT_REACHED} and deleted_at is null order by position limit ${NUMBERS_PER_REQUEUE}`,
      args.after,
    );
    const last = notReached.at(-1);
    if (!last) {
      if (args.answer) await keepAnswer(tx, { ...args.answer, subjectId: batch.id });
      return null;
    }
    const toRequeue = await onePerNumber(tx, notReached, args.at);
    if (toRequeue.length === 0) return { requeued: 0, upTo: last.position };
    for (const { position } of toRequeue) {
      // `shown_status`: the status word that the client chose no longer applies.
      await tx.run(
        `update batch_recipients set status = 'retry_wait', shown_status = null, due_at = ?, updated_at = ?
         where batch_id = ? and position = ?`,
        args.at,
        args.at,
        batch.id,
        position,
      );
    }
    const aborted = toRequeue.filter(({ status }) => status === 'cancelled');
    await changeBatch(tx, batch, {
      ...afterRequeue(batch, args.at),
      waiting: batch.waiting + toRequeue.length,
      failed: batch.failed - (toRequeue.length - aborted.length),
      cancelled: batch.cancelled - aborted.length,
      updated_at: args.at,
    });
    return { requeued: toRequeue.length, upTo: last.position };
  },
});

/**
 * The changes that resume a paused batch. The recent ends are cleared: the circuit breaker would pause the batch again
 * because of failures that the client has seen. The carrier failures in a row (`refusals_in_row`) still count.
 */
export function resumed(batch: BatchRow, at: number): Partial<BatchRow> {
  const statusBeforeStart = batch.initiated_at === null ? 'scheduled' : 'initiated';
  return {
    status: batch.started_at === null ? statusBeforeStart : 'in_progress',
    pause_reason: null,
    recent_ends: INITIAL_STATE.recent_ends,
    // The dispatcher considers the batch at once.
    feed_at: at,
  };
}

/**
 * The changes of a batch after a requeue: a finished batch runs again, a running batch is considered by the dispatcher
 * at once, and a paused batch stays paused.
 */
function afterRequeue(batch: BatchRow, at: number): Partial<BatchRow> {
  if (!isOver(batch.status)) return batch.status === 'paused' ? {} : { feed_at: at };
  return {
    ...resumed(batch, at),
    error: null,
    refusals_in_row: 0,
    ended_at: null,
  };
}

/**
 * A batch with its first recipients, without deleted recipients. Unreadable rows are shown as far as possible: they
 * must not keep a client from stopping the batch.
 */
export async function viewOf(tx: Tx, batch: BatchRow, numbers = NUMBERS_SHOWN): Promise<BatchView> {
  const rows = await tx.all(
    `select * from batch_recipients where batch_id = ? and deleted_at is null order by position limit ?`,
    batch.id,
    numbers + 1,
  );
  const recipients = rows.slice(0, numbers).map((row) => readRecipient(row, 'pending').value);
  return { batch, recipients, hasMore: rows.length > numbers };
}

function alreadyOver(batch: BatchRow): Problem {
  return new Problem('invalid_state', `The batch is already ${batch.status}.`);
}

/**
 * Refuses a request that would let a batch run again while it is over but has not ended: it still closes its waiting
 * numbers, or its last calls go on. The batch would otherwise continue as if it had never been stopped.
 * @throws Problem `invalid_state`
 */
export function refuseUntilEnded(batch: BatchRow): void {
  if (!isOver(batch.status) || batch.ended_at !== null) return;
  throw new Problem('invalid_state', 'The last calls of the batch have not ended yet.', {
    retryAfterSeconds: 5,
  });
}

/** The conditions of a filter; null for a field without a condition. */
function conditionsOf(filter: BatchFilter): (Condition | null)[] {
  return [
    [`workspace = ? and ${IS_SHOWN}`, filter.workspace],
    anyOf('status', filter.status),
    occursIn(['name', 'id'], filter.search),
  ];
}
