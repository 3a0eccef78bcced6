import type { CallDefaults } from '#calls/requests/draft-call.js';
import type { Tx } from '#store/unit.js';
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

/** What the scheduler brings: the present instant, what calls have by default, and which time-zone data it has. */
export interface DueMoment {
  at: number;
  defaults: CallDefaults;
  timeZoneVersion: string;
}

/** What came of an execution that was due. */
export interface DueOutcome {
  /** There is something to dial now. */
  hasCall: boolean;
  /** Another execution of the same schedule is due already. */
  hasMore: boolean;
}

const NOTHING: DueOutcome = { hasCall: false, hasMore: false };

/**
 * Does what is to be done with an execution whose time has come, whole: the call and its place in the dialler's queue,
 * the next occurrence, and what the receiver is told. Whoever comes second finds it done.
 */
export async function performDue(
  tx: Tx,
  args: { executionId: string; scheduleId: string } & DueMoment,
): Promise<DueOutcome> {
  const kept = await lockSettledSchedule(tx, { id: args.scheduleId, at: args.at });
  // The clock of its zone may not show that time yet, by the data of now.
  const isPlannedBefore = kept?.status === 'scheduled' && kept.time_zone_version !== args.timeZoneVersion;
  const schedule = isPlannedBefore ? await replanSchedule(tx, kept, args) : kept;
  const execution = await lockExecution(tx, args.executionId);
  if (!schedule || execution?.status !== 'pending') return NOTHING;
  if (execution.planned_at > args.at) {
    // The clock went back after it was taken, or it was planned anew: it waits for its time again.
    await setExecution(tx, execution, { due_at: execution.planned_at }, args.at);
    return NOTHING;
  }
  const current =
    execution.attempt > 1
      ? await performRetry(tx, schedule, execution, args)
      : await performOccurrence(tx, schedule, execution, args);
  return {
    hasCall: current.last_status === 'in_progress' && current.last_run_at === args.at,
    hasMore: current.next_run_at !== null && current.next_run_at <= args.at,
  };
}

async function performRetry(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  now: DueMoment,
): Promise<ScheduleRow> {
  const obstacle = tooLate(schedule, execution, now.at) ?? (await overlap(tx, schedule));
  if (!obstacle) return startExecution(tx, schedule, execution, now);
  return completeIfDone(tx, await endExecution(tx, schedule, execution, obstacle, now.at), now.at);
}

async function performOccurrence(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  now: DueMoment,
): Promise<ScheduleRow> {
  const { at } = now;
  const newer = nextOccurrence(schedule, execution.planned_at);
  const obstacle =
    tooLate(schedule, execution, at) ??
    (newer !== null && newer <= at ? missed('a newer occurrence is due') : null) ??
    (await overlap(tx, schedule));
  let current = schedule;
  // What waits for another attempt gives way to the newer run, and does not outlive the only one.
  if (!obstacle || schedule.kind === 'one_time') current = await cancelRetries(tx, current, at);
  if (obstacle) {
    current = await endExecution(tx, current, execution, obstacle, at);
  } else {
    current = await startExecution(tx, current, execution, now);
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

/** Nobody is phoned long after their time. Lateness counts in whole seconds, so that no grace at all still works. */
function tooLate(schedule: ScheduleRow, execution: ExecutionRow, at: number): ExecutionEnd | null {
  const lateSeconds = Math.floor((at - execution.planned_at) / 1_000);
  if (lateSeconds <= schedule.grace_seconds) return null;
  return missed(`${lateSeconds} seconds late, with a grace of ${schedule.grace_seconds}`);
}

function missed(why: string): ExecutionEnd {
  return { status: 'missed', error: `missed: ${why}` };
}

/** Nobody is phoned while they are on the phone with us for the same schedule. */
async function overlap(tx: Tx, schedule: ScheduleRow): Promise<ExecutionEnd | null> {
  const isLive = (await openExecutions(tx, schedule.id)).some(({ status }) => status === 'in_progress');
  return isLive ? { status: 'skipped', error: 'overlap' } : null;
}
