import { sweepDaily, type SweepCursor, sweepTable, type SweptSlice } from '#housekeeping/retention-sweep.js';
import type { Purge } from '#housekeeping/retention-sweep.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { defineTransactions } from '#store/transaction.js';
import { purgeSchedule } from '#schedules/changes/schedule-commands.js';

/** How many events one transaction deletes: few, since their deliveries are deleted with them. */
const EVENTS_AT_ONCE = 20;
/** How many executions one transaction deletes. */
const EXECUTIONS_AT_ONCE = 500;

/** SQL condition: a schedule was over before an instant, its parameter, and has no open executions. */
const IS_OVER = `status in ('completed', 'failed', 'cancelled') and updated_at < ?
  and not exists (select 1 from executions where executions.schedule_id = schedules.id
    and executions.status in ('pending', 'held', 'in_progress'))`;

/** SQL condition: an execution is not finished. */
const IS_OPEN = `status in ('pending', 'held', 'in_progress')`;
/**
 * SQL condition on a row `old` of executions: its run is still open, or it is the latest execution of its schedule
 * (apart from those that wait), or the latest that started. The API shows these.
 */
const IS_NEEDED = `exists (select 1 from executions where schedule_id = old.schedule_id and run = old.run and ${IS_OPEN})
  or not exists (select 1 from executions as later where later.schedule_id = old.schedule_id
    and later.status not in ('pending', 'held') and (later.started_at is not null or old.started_at is null)
    and (later.planned_at, later.id) > (old.planned_at, old.id))`;

/** The transactions of {@link schedulePurges}. */
const scheduleRetentionTransactions = defineTransactions('schedule_retention', {
  /** A slice of the schedules, with those that were over before an instant. */
  over(tx, args: SweepCursor): Promise<SweptSlice> {
    return sweepTable(tx, args, { table: 'schedules', isTooOld: IS_OVER });
  },

  /**
   * Deletes a part of one schedule with its history and events. True when nothing is left, or if the schedule must
   * stay: it may have been started again since it was read.
   */
  async remove(tx, args: { id: string; before: number; at: number }): Promise<boolean> {
    const { id, before, at } = args;
    await tx.get(`select id from schedules where id = ?${tx.dialect.forUpdate}`, id);
    const over = await tx.get(`select webhook_id from schedules where id = ? and ${IS_OVER}`, id, before);
    if (!over) return true;
    const events = await tx.run(
      'delete from events where id in (select id from events where subject_id = ? limit ?)',
      id,
      EVENTS_AT_ONCE,
    );
    if (events === EVENTS_AT_ONCE) return false;
    const executions = await tx.run(
      'delete from executions where id in (select id from executions where schedule_id = ? limit ?)',
      id,
      EXECUTIONS_AT_ONCE,
    );
    if (executions === EXECUTIONS_AT_ONCE) return false;
    // Unreadable rows are deleted too.
    const webhookId = over['webhook_id'];
    await purgeSchedule(tx, { id, webhook_id: typeof webhookId === 'string' ? webhookId : null }, at);
    return true;
  },

  /** A slice of the schedules, with those that have executions planned before an instant. */
  withOldRuns(tx, args: SweepCursor): Promise<SweptSlice> {
    const isTooOld = 'exists (select 1 from executions where schedule_id = schedules.id and planned_at < ?)';
    return sweepTable(tx, args, { table: 'schedules', isTooOld });
  },

  /**
   * Deletes a part of the finished executions of one schedule that were planned and last changed before an instant,
   * except for those that are needed. True when none is left. `forgotten_calls` counts the deleted executions that had
   * a call: the number of calls that the API shows for the schedule still includes them.
   */
  async removeRuns(tx, { id, before }: { id: string; before: number }): Promise<boolean> {
    await tx.get(`select id from schedules where id = ?${tx.dialect.forUpdate}`, id);
    const removed = await tx.all(
      `delete from executions where id in (
         select id from executions as old where schedule_id = ? and planned_at < ? and updated_at < ?
           and not (${IS_OPEN}) and not (${IS_NEEDED}) order by planned_at, id limit ?)
       returning call_id`,
      id,
      before,
      before,
      EXECUTIONS_AT_ONCE,
    );
    const calls = removed.filter((row) => row['call_id'] !== null).length;
    if (calls > 0)
      await tx.run('update schedules set forgotten_calls = forgotten_calls + ? where id = ?', calls, id);
    return removed.length < EXECUTIONS_AT_ONCE;
  },
});

/**
 * The purges of schedules, for the daily retention sweep: one deletes schedules that have been over for longer than the
 * retention of calls, the other deletes old runs of the schedules that remain. A period of null keeps everything.
 */
export function schedulePurges(
  { store, clock, log }: { store: Store; clock: Clock; log: Log },
  kept: { callDays: number | null },
): Purge[] {
  const { callDays: days } = kept;
  if (days === null) return [];
  const readOver = (cursor: SweepCursor) => store.read(scheduleRetentionTransactions.over, cursor);
  const readWithOldRuns = (cursor: SweepCursor) =>
    store.read(scheduleRetentionTransactions.withOldRuns, cursor);
  const remove = async ({ id }: { id: string }, before: number) => {
    const args = { id, before, at: clock.wallMs() };
    while (!(await store.write(scheduleRetentionTransactions.remove, args)));
  };
  const removeRuns = async ({ id }: { id: string }, before: number) => {
    while (!(await store.write(scheduleRetentionTransactions.removeRuns, { id, before })));
  };
  return [
    sweepDaily({ days, what: 'scheduled call', readSlice: readOver, removeRecord: remove }, log),
    sweepDaily(
      { days, what: 'runs of a scheduled call', readSlice: readWithOldRuns, removeRecord: removeRuns },
      log,
    ),
  ];
}
