import type { Clock } from '#kernel/time/clock.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { syncCalls, syncNumber } from '#batches/dispatch/sync-calls.js';
import { readStoredTime } from '#calls/requests/scheduled-time.js';
import { defineTransactions, type SqlRow, type Tx } from '#store/transaction.js';
import { lockRepaired } from '#calls/endings/repaired-call.js';
import { UNDIALLED } from '#calls/endings/undialled-call.js';
import { askAboutCall } from '#calls/requests/accept-call.js';
import { moveWaiting } from '#batches/scheduled-calls/single-call-changes.js';

/** Times replanned per transaction. */
const TIMES_AT_ONCE = 200;

/**
 * SQL: the local times of single calls that wait: queued, paused or deferred by the policy (`wanted_at`). Calls of
 * batches have no `timezone`. `instant` is when the call was wanted, before any deferral.
 */
const TIMES_OF_CALLS = `select calls.id as call_id, scheduled_time as written, timezone,
    coalesce(wanted_at, scheduled_at) as instant
  from calls left join dial_attempts on dial_attempts.call_id = calls.id and ${UNDIALLED}
  where timezone is not null and ended_at is null and (calls.status = 'queued' or wanted_at is not null)`;

/** A slice of the times, in the order of the call ids: those of calls whose id is greater than `after`. */
interface Slice {
  /** Empty for the first slice. */
  after: string;
  /** The current instant (epoch milliseconds). A time is moved only if its old or its new instant is later. */
  at: number;
}

/** The number of moved times, and the last call of the slice; null after the last slice. */
interface Replanned {
  moved: number;
  last: string | null;
}

/** A time whose instant has changed: the old and the new instant, in epoch milliseconds. */
interface MovedTime {
  callId: string;
  oldInstant: number;
  newInstant: number;
}

/**
 * Recomputes instants from local time and zone: of batches, of batch recipients with times of their own, and of single
 * calls. Recipients with a deferral or a retry keep that time; times that were given as instants stay.
 */
export const localTimeTransactions = defineTransactions('local_times', {
  /**
   * Moves batches whose own time has not begun; numbers with earlier times of their own may have been called. A batch
   * that is due already moves only to an instant in the future. Returns the ids of the moved batches.
   */
  async replanBatches(tx, { at }: { at: number }): Promise<string[]> {
    const rows = await tx.all(
      `select id, scheduled_time, scheduled_at, coalesce(local_timezone, timezone) as timezone from batches
       where (scheduled_at > ? or initiated_at is null or initiated_at < scheduled_at)
         and status in ('scheduled', 'initiated', 'in_progress', 'paused')
         and scheduled_time is not null and coalesce(local_timezone, timezone) is not null`,
      at,
    );
    const moved: string[] = [];
    for (const { id, scheduled_time: written, scheduled_at: before, timezone: zone } of rows) {
      const scheduledAt = readStoredTime(String(written), String(zone));
      if (scheduledAt === null || scheduledAt === before || Math.max(scheduledAt, Number(before)) <= at)
        continue;
      // `feed_at`: the dispatcher considers the batch at once.
      const changed = await tx.run(
        'update batches set scheduled_at = ?, feed_at = ?, updated_at = ? where id = ? and scheduled_at = ?',
        scheduledAt,
        at,
        at,
        String(id),
        Number(before),
      );
      if (changed > 0) moved.push(String(id));
    }
    return moved;
  },

  /**
   * Moves waiting recipients that have a time of their own. `due_at = scheduled_at` leaves out recipients with a
   * deferral or a retry.
   */
  async replanRecipients(tx, slice: Slice): Promise<Replanned> {
    const rows = await tx.all(
      `select call_id, batch_id, scheduled_time as written, timezone, scheduled_at as instant
       from batch_recipients
       where timezone is not null and call_id > ? and due_at = scheduled_at
         and status in ('pending', 'paused', 'retry_wait')
       order by call_id limit ${TIMES_AT_ONCE}`,
      slice.after,
    );
    const batchOf = new Map(rows.map((row) => [String(row['call_id']), String(row['batch_id'])]));
    const moved = movedTimes(rows, slice.at);
    for (const time of moved) await moveRecipient(tx, batchOf.get(time.callId)!, time, slice.at);
    return replanned(rows, moved.length);
  },

  /** Moves waiting and paused single calls. The calling policy is asked about each new time. */
  async replanCalls(tx, { rules, ...slice }: Slice & { rules: PolicyRules }): Promise<Replanned> {
    const { after, at } = slice;
    const rows = await tx.all(
      `${TIMES_OF_CALLS} and calls.id > ? order by calls.id limit ${TIMES_AT_ONCE}`,
      after,
    );
    let moved = 0;
    for (const { callId } of movedTimes(rows, at)) {
      const locked = await lockRepaired(tx, callId);
      // Read again under the lock: another transaction may have changed or dialled the call.
      const [time] = movedTimes(await tx.all(`${TIMES_OF_CALLS} and calls.id = ?`, callId), at);
      // A call with a corrupt row (`repair`) stays as it is.
      if (!locked || locked.repair || !time) continue;
      const { newInstant: wantedAt } = time;
      const { dueAt } = await askAboutCall(tx, { call: locked.value, dueAt: wantedAt, rules, at });
      await moveWaiting(tx, callId, { wantedAt, dueAt, at });
      moved += 1;
    }
    return replanned(rows, moved);
  },
});

/** The rows whose local time now has another instant, unless both the old and the new instant are past. */
function movedTimes(rows: readonly SqlRow[], at: number): MovedTime[] {
  return rows.flatMap(({ call_id: callId, written, timezone, instant }) => {
    const oldInstant = Number(instant);
    const newInstant = readStoredTime(String(written), String(timezone));
    if (newInstant === null || newInstant === oldInstant || Math.max(oldInstant, newInstant) <= at) return [];
    return [{ callId: String(callId), oldInstant, newInstant }];
  });
}

/** The result of a slice: fewer rows than its limit mean that it was the last slice. */
function replanned(rows: readonly SqlRow[], moved: number): Replanned {
  const last = rows.length < TIMES_AT_ONCE ? undefined : rows.at(-1);
  return { moved, last: last ? String(last['call_id']) : null };
}

/** Moves a recipient. Its SQL reads no whole rows: a corrupt batch row must not keep the service from starting. */
async function moveRecipient(
  tx: Tx,
  batchId: string,
  { callId, oldInstant, newInstant }: MovedTime,
  at: number,
): Promise<void> {
  await tx.get(`select id from batches where id = ?${tx.dialect.forUpdate}`, batchId);
  const changed = await tx.run(
    `update batch_recipients set scheduled_at = ?, due_at = ?, updated_at = ?
     where call_id = ? and due_at = ? and scheduled_at = ?`,
    newInstant,
    newInstant,
    at,
    callId,
    oldInstant,
    oldInstant,
  );
  if (changed === 0) return;
  await syncNumber(tx, callId, { time: { at: newInstant } }, at);
  await tx.run(
    `update batches set feed_at = ? where id = ? and status in ('scheduled', 'initiated', 'in_progress')`,
    at,
    batchId,
  );
}

interface LocalTimesContext {
  store: Store;
  clock: Clock;
  /** The rules of the calling policy. */
  rules: PolicyRules;
}

/**
 * Moves the local times of batches, of batch recipients and of single calls after a change of time-zone data. Runs at
 * the start, before anything is dialled. Returns the number of moved times.
 */
export async function replanLocalTimes({ store, clock, rules }: LocalTimesContext): Promise<number> {
  const at = clock.wallMs();
  const batches = await store.write(localTimeTransactions.replanBatches, { at });
  // The calls of moved batches are synced here: the dispatcher does not sync a batch that has begun and is due.
  for (const batchId of batches) await syncCalls(store, { batchId, at, rules });
  let moved = batches.length;
  for (const replan of [
    (after: string) => store.write(localTimeTransactions.replanRecipients, { after, at }),
    (after: string) => store.write(localTimeTransactions.replanCalls, { after, at, rules }),
  ]) {
    let after: string | null = '';
    while (after !== null) {
      const result: Replanned = await replan(after);
      moved += result.moved;
      after = result.last;
    }
  }
  return moved;
}
