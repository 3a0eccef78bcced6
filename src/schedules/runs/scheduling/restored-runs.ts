import { isUnavailable } from '#kernel/errors/errors.js';
import type { Log } from '#kernel/log/log.js';
import type { Store } from '#store/store.js';
import { schedulerTransactions } from './scheduler-store.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import { lockExecution, lockSchedule, setSchedule } from '#schedules/record/schedule-rows.js';
import { nextOccurrence } from '#schedules/runs/executions/plan.js';
import {
  cancelRetries,
  completeIfDone,
  endExecution,
  planNext,
  type ExecutionEnd,
} from '#schedules/runs/executions/runs.js';

// Ends the runs of schedules that may have happened between a backup of the database and its restoration; for
// `holdDueCalls`, which the commands `restore` and `hold` use.

/** An execution that may have run between the backup and its restore. */
export interface DoubtfulRun {
  executionId: string;
  scheduleId: string;
  status: 'pending' | 'in_progress';
}

/** The end of a run that was due and had not started at the backup. */
const MISSED: ExecutionEnd = { status: 'missed', error: 'missed: the database was restored from a backup' };
/** The call was in progress and its end is unknown: no retry, as for every `uncertain` call. */
const UNCERTAIN: ExecutionEnd = { status: 'failed', error: 'uncertain' };

/** The transactions of {@link endDoubtfulRuns}. */
export const restoredScheduleTransactions = defineTransactions('restored_schedules', {
  /**
   * Executions that were due at an instant or are in progress, ordered by id; except those whose call still waits to be
   * dialled.
   */
  async doubtful(tx, args: { at: number; after: string; limit: number }): Promise<DoubtfulRun[]> {
    const rows = await tx.all(
      `select id, schedule_id, status from executions
       where id > ? and ((status = 'pending' and planned_at <= ?) or (status = 'in_progress' and not exists (
         select 1 from dial_attempts
         where dial_attempts.call_id = executions.call_id and dial_attempts.status in ('pending', 'claimed'))))
       order by id limit ?`,
      args.after,
      args.at,
      args.limit,
    );
    return rows.map((row) => ({
      executionId: String(row['id']),
      scheduleId: String(row['schedule_id']),
      status: row['status'] as DoubtfulRun['status'],
    }));
  },

  /** Ends one doubtful run. A recurring schedule continues with its next occurrence. */
  async end(tx, { executionId, scheduleId, at }: DoubtfulRun & { at: number }): Promise<void> {
    const schedule = await lockSchedule(tx, scheduleId);
    const execution = await lockExecution(tx, executionId);
    if (!schedule || !execution) return;
    const end = execution.status === 'in_progress' ? UNCERTAIN : MISSED;
    await planAfterEnd(tx, await endExecution(tx, schedule, execution, end, at), execution, at);
  },
});

/**
 * Continues a schedule after the end of one of its executions (`ended`, as it was before). After a retry or a run in
 * progress, the next run is planned already. Otherwise the missed run was the planned run: a one-time schedule has no
 * other, and a recurring schedule gets its next occurrence.
 */
async function planAfterEnd(tx: Tx, schedule: ScheduleRow, ended: ExecutionRow, at: number): Promise<void> {
  if (ended.attempt > 1 || ended.status === 'in_progress') {
    await completeIfDone(tx, schedule, at);
  } else if (schedule.kind === 'one_time') {
    await setSchedule(tx, await cancelRetries(tx, schedule, at), { next_run_at: null }, at);
  } else {
    await planNext(tx, schedule, { nextRunAt: nextOccurrence(schedule, at), plannedAfter: at, at });
  }
}

/** The most executions that one read returns. */
const PAGE_SIZE = 200;

/**
 * Ends the runs that were due at `at` (epoch milliseconds) or are in progress, after the database was restored from a
 * backup: the callees may have been called since the backup. Runs whose call still waits to be dialled stay; an
 * unreadable schedule is given up. Resolves with the number of runs.
 */
export async function endDoubtfulRuns(
  { store, log }: { store: Store; log: Log },
  at: number,
): Promise<number> {
  let count = 0;
  for (let after = ''; ;) {
    const runs = await store.read(restoredScheduleTransactions.doubtful, { at, after, limit: PAGE_SIZE });
    await Promise.all(
      runs.map((run) =>
        store.write(restoredScheduleTransactions.end, { ...run, at }).catch(async (error: unknown) => {
          if (isUnavailable(error)) throw error;
          log.error({ err: error, schedule_id: run.scheduleId }, 'an unreadable schedule was given up');
          await store.write(schedulerTransactions.giveUp, { ...run, at });
        }),
      ),
    );
    count += runs.length;
    if (runs.length < PAGE_SIZE) return count;
    after = runs.at(-1)!.executionId;
  }
}
