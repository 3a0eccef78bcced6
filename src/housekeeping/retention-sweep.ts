/**
 * The two kinds of purges that modules give to housekeeping: the first deletes rows by an index of their age, the
 * second sweeps a whole table once a day and removes old records one by one.
 */
import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import type { SqlRow, Tx } from '#store/transaction.js';

/** The most rows that a purge deletes in one transaction, so that other transactions wait for milliseconds only. */
const PURGE_ROWS = 500;

/**
 * Deletes some rows past their retention period at `now` (epoch milliseconds); resolves with true if more may follow.
 */
export type Purge = (now: number) => Promise<boolean>;

/**
 * Makes a purge for a table with an index of age.
 * @param deleteRows deletes up to `limit` rows and resolves with their number
 */
export function purgeBySlices(deleteRows: (args: { now: number; limit: number }) => Promise<number>): Purge {
  return async (now) => (await deleteRows({ now, limit: PURGE_ROWS })) === PURGE_ROWS;
}

const DAY_MS = 86_400_000;
/** The most rows that a sweep reads at once. */
const SWEEP_ROWS = 200;

/** The position of a sweep in its table: which rows to read next. */
export interface SweepCursor {
  /** The id after which to read; empty at the beginning of the table. */
  after: string;
  /** Records that ended before this instant are too old (epoch milliseconds). */
  before: number;
  limit: number;
}

/** The result of one read. Rows are in the order of ids, which is the order of creation. */
export interface SweptSlice {
  /** The records that are too old. */
  found: { workspace: string; id: string }[];
  /** The last id of the slice; null at the end of the table. */
  after: string | null;
}

/** A kind of record, and its retention period in days. */
export interface RetentionRule {
  days: number;
  /** The kind of record, for the log. */
  what: 'call' | 'recording' | 'scheduled call' | 'runs of a scheduled call';
  /** Reads the next slice of the table, usually with {@link sweepTable}. */
  readSlice(cursor: SweepCursor): Promise<SweptSlice>;
  /** Removes a record that was found, which ended before an instant (epoch milliseconds). */
  removeRecord(found: SweptSlice['found'][number], before: number): Promise<void>;
}

/**
 * Makes a purge that sweeps a table once a day, and once after a start, and removes old records one by one. It reads
 * the whole table, because the age of these records has no index.
 */
export function sweepDaily({ days, what, readSlice, removeRecord }: RetentionRule, log: Log): Purge {
  let after = '';
  let begunAt: number | null = null;
  return async (now) => {
    // A clock that is set back must not delay the next sweep.
    const isRecent = begunAt !== null && now >= begunAt && now < begunAt + DAY_MS;
    if (after === '' && isRecent) return false;
    if (after === '') begunAt = now;
    const before = now - days * DAY_MS;
    const slice = await readSlice({ after, before, limit: SWEEP_ROWS });
    for (const record of slice.found) {
      await removeRecord(record, before).catch((error: unknown) => {
        // Another process has removed the record.
        if (error instanceof Problem && error.code.endsWith('_not_found')) return;
        log.warn(
          { err: error, id: record.id, what },
          'a record past its retention period could not be removed',
        );
      });
    }
    after = slice.after ?? '';
    return slice.after !== null;
  };
}

/**
 * Reads the next slice of a table for a sweep.
 * @param isTooOld an SQL condition with one placeholder, for `before`
 * @param id the column with the id of the record to remove, if that is not `id`
 */
export async function sweepTable(
  tx: Tx,
  { after, before, limit }: SweepCursor,
  { table, isTooOld, id = 'id' }: { table: string; isTooOld: string; id?: string },
): Promise<SweptSlice> {
  const rows = await tx.all(
    `select id, created_at, workspace, ${id} as removed_id, case when ${isTooOld} then 1 else 0 end as is_too_old
     from ${table} where id > ? order by id limit ?`,
    before,
    after,
    limit,
  );
  // A row created after `before` cannot be too old, nor can the rows after it: the sweep ends there.
  const olderRows = rows.filter((row) => Number(row['created_at']) < before);
  const found = olderRows.filter((row) => row['is_too_old'] === 1).map(toFound);
  return { found, after: olderRows.length < limit ? null : String(olderRows.at(-1)!['id']) };
}

function toFound(row: SqlRow): SweptSlice['found'][number] {
  return { workspace: String(row['workspace']), id: String(row['removed_id']) };
}
