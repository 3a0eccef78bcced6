import { Problem } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import type { SqlRow, Tx } from '#store/unit.js';
import type { Purge } from './purge.js';

const DAY_MS = 86_400_000;
/** Rows that are looked at together, by a reader. */
const SLICE = 200;

/** Which rows to look at next. */
export interface Walk {
  after: string;
  /** Whatever was over before this instant is too old (epoch milliseconds). */
  before: number;
  limit: number;
}

/** A slice of rows in the order of their ids, which is that of their making. */
export interface Walked {
  /** Those of them that are too old: their ids, and where they belong. */
  found: { workspace: string; id: string }[];
  /** Where to go on; null at the end. */
  after: string | null;
}

/** What is removed so many days after it was over. */
export interface Removal {
  days: number;
  /** For the log. */
  what: 'call' | 'recording' | 'scheduled call' | 'runs of a scheduled call';
  look(walk: Walk): Promise<Walked>;
  /** Removes one of those that were found, which was over before an instant (epoch milliseconds). */
  remove(found: Walked['found'][number], before: number): Promise<void>;
}

/**
 * Removes what is too old, one by one. No index sorts by age what is still to be removed: all is walked through once a
 * day, and once after a start.
 */
export function walkDaily({ days, what, look, remove }: Removal, log: Log): Purge {
  let after = '';
  let begunAt: number | null = null;
  return async (now) => {
    // A clock that went back far does not put it off for as long.
    const isRecent = begunAt !== null && now >= begunAt && now < begunAt + DAY_MS;
    if (after === '' && isRecent) return false;
    if (after === '') begunAt = now;
    const before = now - days * DAY_MS;
    const walked = await look({ after, before, limit: SLICE });
    for (const one of walked.found) {
      await remove(one, before).catch((error: unknown) => {
        // Somebody else was quicker.
        if (error instanceof Problem && error.code.endsWith('_not_found')) return;
        log.warn({ err: error, id: one.id, what }, 'what is too old could not be removed');
      });
    }
    after = walked.after ?? '';
    return walked.after !== null;
  };
}

/**
 * The next rows of a walk through a table.
 * @param isTooOld a condition that takes the instant
 * @param id what is removed, where that is not the row itself
 */
export async function walkThrough(
  tx: Tx,
  { after, before, limit }: Walk,
  { table, isTooOld, id = 'id' }: { table: string; isTooOld: string; id?: string },
): Promise<Walked> {
  const rows = await tx.all(
    `select id, created_at, workspace, ${id} as removed_id, case when ${isTooOld} then 1 else 0 end as is_too_old
     from ${table} where id > ? order by id limit ?`,
    before,
    after,
    limit,
  );
  // Whatever was made later cannot be too old, nor can what follows it.
  const made = rows.filter((row) => Number(row['created_at']) < before);
  const found = made.filter((row) => row['is_too_old'] === 1).map(toFound);
  return { found, after: made.length < limit ? null : String(made.at(-1)!['id']) };
}

function toFound(row: SqlRow): Walked['found'][number] {
  return { workspace: String(row['workspace']), id: String(row['removed_id']) };
}
