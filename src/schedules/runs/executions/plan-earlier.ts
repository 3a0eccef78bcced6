import type { Tx } from '#store/transaction.js';
import { lockSchedule, openExecutions, setExecution, setSchedule } from '#schedules/record/schedule-rows.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import { nextOccurrence } from './plan.js';
import { isPlanned } from './runs.js';

/**
 * Repairs the plan of a schedule after the clock was set back. While the clock ran ahead, the next occurrence of a
 * recurring schedule and waiting retries were planned too late: both move earlier. No occurrence that has run becomes
 * due again. The scheduler calls it for each affected schedule.
 */
export async function planEarlier(tx: Tx, args: { scheduleId: string; at: number }): Promise<void> {
  const { at } = args;
  const schedule = await lockSchedule(tx, args.scheduleId);
  if (!schedule) return;
  const open = await openExecutions(tx, schedule.id);
  const planned = open.find(isPlanned);
  // Occurrences after now are used up already: the clock was ahead.
  if (planned && schedule.planned_after > at) await planFromNow(tx, schedule, planned, at);
  for (const execution of open) {
    // A retry that was written after now was planned by the clock that was ahead.
    if (execution.attempt === 1 || execution.status !== 'pending' || execution.updated_at <= at) continue;
    // From now on it waits for as long as it was to wait then.
    const plannedAt = at + Math.max(0, execution.planned_at - execution.updated_at);
    await setExecution(tx, execution, { planned_at: plannedAt, due_at: plannedAt }, at);
  }
}

/** Moves the planned execution to the first occurrence after `at` that has not run, if that is earlier. */
async function planFromNow(tx: Tx, schedule: ScheduleRow, planned: ExecutionRow, at: number): Promise<void> {
  const started = await startedAfter(tx, schedule.id, at);
  let plannedAfter = at;
  let nextRunAt = nextOccurrence(schedule, plannedAfter);
  while (nextRunAt !== null && started.has(nextRunAt)) {
    plannedAfter = nextRunAt;
    nextRunAt = nextOccurrence(schedule, plannedAfter);
  }
  if (nextRunAt === null || nextRunAt >= planned.planned_at) return;
  await setExecution(tx, planned, { planned_at: nextRunAt, due_at: nextRunAt }, at);
  await setSchedule(tx, schedule, { planned_after: plannedAfter, next_run_at: nextRunAt }, at);
}

/** The occurrences after `at` that were started while the clock was ahead. */
async function startedAfter(tx: Tx, scheduleId: string, at: number): Promise<Set<number>> {
  const rows = await tx.all(
    `select planned_at from executions
     where schedule_id = ? and planned_at > ? and attempt = 1 and origin = 'schedule' and started_at is not null`,
    scheduleId,
    at,
  );
  return new Set(rows.map((row) => Number(row['planned_at'])));
}
