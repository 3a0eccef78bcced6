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

/** SQL condition: a recipient was not reached, or not called because the batch was aborted; erased ones excluded. */
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

  /** Pauses a batch; live calls continue. */
  async pause(tx, args: BatchKey & { at: number; reason: string }): Promise<BatchView> {
    const batch = await requireBatch(tx, args, true);
    if (batch.status === 'paused') return viewOf(tx, batch);
    if (isOver(batch.status)) throw alreadyOver(batch);
    return viewOf(
      tx,
      await changeBatch(tx, batch, {
        status: 'paused',
        pause_reason: args.reason,
        feed_at: args.at,
        updated_at: args.at,
      }),
    );
  },

  /** Resumes a paused batch. */
  async resume(tx, args: BatchKey & { at: number }): Promise<BatchView> {
    const batch = await requireBatch(tx, args, true);
    if (isOver(batch.status)) throw alreadyOver(batch);
    if (batch.status !== 'paused') return viewOf(tx, batch);
    return viewOf(tx, await changeBatch(tx, batch, { ...resumed(batch, args.at), updated_at: args.at }));
  },

  /** Cancels a batch: the dispatcher closes its open numbers, live calls continue. */
  async cancel(tx, args: BatchKey & { at: number }): Promise<void> {
    const batch = await requireBatch(tx, args, true);
    if (batch.status === 'cancelled') return;
    if (isOver(batch.status)) throw alreadyOver(batch);
    await changeBatch(tx, batch, {
      status: 'cancelled',
      pause_reason: null,
      feed_at: args.at,
      updated_at: args.at,
    });
  },

  /**
   * Requeues some unreached numbers after a position, and returns their number and the last position. Null if none is
   * left; the idempotent answer is stored then.
   */
  async retryFailed(
    tx,
    args: BatchKey & { after: number; at: number; answer: IdempotentAnswer | null },
  ): Promise<{ requeued: number; upTo: number } | null> {
    const batch = await requireBatch(tx, args, true);
    refuseWhileEnding(batch);
    const notReached = await recipientsWhere(
      tx,
      batch.id,
      `position > ? and ${NOT_REACHED} and deleted_at is null order by position limit ${NUMBERS_PER_REQUEUE}`,
      args.after,
    );
    // The end of the list: nothing is left to requeue.
    const last = notReached.at(-1);
    if (!last) {
      if (args.answer) await keepAnswer(tx, { ...args.answer, subjectId: batch.id });
      return null;
    }
    const failed = await onePerNumber(tx, notReached, args.at);
    if (failed.length === 0) return { requeued: 0, upTo: last.position };
    for (const { position } of failed) {
      await tx.run(
        `update batch_recipients set status = 'retry_wait', shown_status = null, due_at = ?, updated_at = ?
         where batch_id = ? and position = ?`,
        args.at,
        args.at,
        batch.id,
        position,
      );
    }
    const aborted = failed.filter(({ status }) => status === 'cancelled');
    await changeBatch(tx, batch, {
      ...reopened(batch, args.at),
      waiting: batch.waiting + failed.length,
      failed: batch.failed - (failed.length - aborted.length),
      cancelled: batch.cancelled - aborted.length,
      updated_at: args.at,
    });
    return { requeued: failed.length, upTo: last.position };
  },
});

/** The changes that resume a paused batch. The circuit breaker restarts, as the operator has seen its reason. */
export function resumed(batch: BatchRow, at: number): Partial<BatchRow> {
  const before = batch.initiated_at === null ? 'scheduled' : 'initiated';
  return {
    status: batch.started_at === null ? before : 'in_progress',
    pause_reason: null,
    recent_ends: INITIAL_STATE.recent_ends,
    feed_at: at,
  };
}

/** The changes that reopen a batch, finished or not. */
function reopened(batch: BatchRow, at: number): Partial<BatchRow> {
  if (!isOver(batch.status)) return batch.status === 'paused' ? {} : { feed_at: at };
  return {
    ...resumed(batch, at),
    error: null,
    refusals_in_row: 0,
    ended_at: null,
  };
}

/**
 * A batch with its first recipients, without deleted ones. Unreadable rows are shown as far as possible: they must not
 * keep a client from stopping the batch.
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
 * @throws Problem `invalid_state` while a cancelled batch still closes its numbers: reopened then, it would continue
 * as if never cancelled.
 */
export function refuseWhileEnding(batch: BatchRow): void {
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
