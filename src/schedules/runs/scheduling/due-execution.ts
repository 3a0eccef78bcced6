import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { Tx } from '#store/transaction.js';
import { isUsedUp, nextAfterMissed, nextOccurrence } from '#schedules/runs/executions/plan.js';
import { replanSchedule } from '#schedules/runs/executions/replan.js';
import { lockSettledSchedule } from '#schedules/runs/settling/settled-schedule.js';
import {
  cancelRetries,
  completeIfDone,
  endExecution,
  planNext,
  startExecution,
  type ExecutionEnd,
} from '#schedules/runs/executions/runs.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import { lockExecution, openExecutions, setExecution, setSchedule } from '#schedules/record/schedule-rows.js';

/**
 * The values that the transaction takes from outside: the current instant, the defaults of calls, the version of the
 * time-zone data.
 */
export interface DueContext {
  at: number;
  defaults: CallDefaults;
  timeZoneVersion: string;
}

/** The outcome of a due execution, for the scheduler's loop. */
export interface DueOutcome {
  /** A call was queued for the dialler. */
  hasCall: boolean;
  /** Another execution of the schedule is due already. */
  hasMore: boolean;
}

const NOTHING: DueOutcome = { hasCall: false, hasMore: false };

/**
 * Processes a due execution (one attempt of a run of a schedule) in one transaction: queues its call for the dialler,
 * or ends it as missed or skipped; plans the next occurrence, and notifies the receiver. Starts nothing if another
 * process was faster, or if the execution is not due any more.
 */
export async function performDue(
  tx: Tx,
  args: { executionId: string; scheduleId: string } & DueContext,
): Promise<DueOutcome> {
  const stored = await lockSettledSchedule(tx, { id: args.scheduleId, at: args.at });
  // With the current time-zone data the occurrence may not be due yet.
  const isPlannedBefore = stored?.status === 'scheduled' && stored.time_zone_version !== args.timeZoneVersion;
  const schedule = isPlannedBefore ? await replanSchedule(tx, stored, args) : stored;
  const execution = await lockExecution(tx, args.executionId);
  if (!schedule || execution?.status !== 'pending') return NOTHING;
  if (execution.planned_at > args.at) {
    // The clock was set back after the claim, or the execution was replanned: it waits again.
    await setExecution(tx, execution, { due_at: execution.planned_at }, args.at);
    return NOTHING;
  }
  const current =
    execution.attempt > 1
      ? await runRetry(tx, schedule, execution, args)
      : await runOccurrence(tx, schedule, execution, args);
  return {
    hasCall: current.last_status === 'in_progress' && current.last_run_at === args.at,
    hasMore: current.next_run_at !== null && current.next_run_at <= args.at,
  };
}

/** Starts a retry, or ends its run if it is too late or another call is in progress. */
async function runRetry(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  context: DueContext,
): Promise<ScheduleRow> {
  const obstacle = tooLateEnd(schedule, execution, context.at) ?? (await overlapEnd(tx, schedule));
  if (!obstacle) return startExecution(tx, schedule, execution, context);
  return completeIfDone(tx, await endExecution(tx, schedule, execution, obstacle, context.at), context.at);
}

/** Starts a planned occurrence, or ends it as missed or skipped; then plans the next occurrence. */
async function runOccurrence(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  context: DueContext,
): Promise<ScheduleRow> {
  const { at } = context;
  // The following occurrence: if that is due already, this execution is missed.
  const newer = nextOccurrence(schedule, execution.planned_at);
  const obstacle =
    tooLateEnd(schedule, execution, at) ??
    (newer !== null && newer <= at ? missed('a newer occurrence is due') : null) ??
    (await overlapEnd(tx, schedule));
  let current = schedule;
  // A run that starts replaces the waiting retry of an earlier run. The only planned run of a one-time schedule also
  // ends the waiting retry of a manual run, even if it is missed or skipped itself.
  if (!obstacle || schedule.kind === 'one_time') current = await cancelRetries(tx, current, at);
  if (obstacle) {
    current = await endExecution(tx, current, execution, obstacle, at);
  } else {
    current = await startExecution(tx, current, execution, context);
    // False if the run has ended at once, because its agent is gone.
    if (current.last_run_at === at && current.last_status === 'in_progress')
      current = await setSchedule(tx, current, { occurrences: current.occurrences + 1 }, at);
  }
  if (schedule.kind === 'one_time') return setSchedule(tx, current, { next_run_at: null }, at);
  const nextRunAt = isUsedUp(current)
    ? null
    : obstacle?.status === 'missed'
      ? nextAfterMissed(current, execution.planned_at, at)
      : newer;
  return planNext(tx, current, { nextRunAt, plannedAfter: execution.planned_at, at });
}

/**
 * The end of an execution past its grace; null within it. Lateness is counted in whole seconds: a grace of 0 leaves a
 * second to start.
 */
function tooLateEnd(schedule: ScheduleRow, execution: ExecutionRow, at: number): ExecutionEnd | null {
  const lateSeconds = Math.floor((at - execution.planned_at) / 1_000);
  if (lateSeconds <= schedule.grace_seconds) return null;
  return missed(`${lateSeconds} seconds late, with a grace of ${schedule.grace_seconds}`);
}

function missed(reason: string): ExecutionEnd {
  return { status: 'missed', error: `missed: ${reason}` };
}

/** The end of an execution that is due while another call of its schedule is in progress; null without that. */
async function overlapEnd(tx: Tx, schedule: ScheduleRow): Promise<ExecutionEnd | null> {
  const isLive = (await openExecutions(tx, schedule.id)).some(({ status }) => status === 'in_progress');
  return isLive ? { status: 'skipped', error: 'overlap' } : null;
}
