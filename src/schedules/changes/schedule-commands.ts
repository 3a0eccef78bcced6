import { requireProviders } from '#agents/definitions/require-providers.js';
import { requireAgentSummary } from '#agents/definitions/agent-rows.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import { removeNotificationTarget } from '#webhooks/registrations/notification-target.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Tx } from '#store/transaction.js';
import { nextOccurrence } from '#schedules/runs/executions/plan.js';
import {
  cancelRetries,
  completeIfDone,
  endExecution,
  isPlanned,
  planNext,
  startExecution,
} from '#schedules/runs/executions/runs.js';
import { SCHEDULE_COMMANDS, type ScheduleCommand } from '#schedules/record/schedule-machine.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import {
  addExecution,
  lockSchedule,
  openExecutions,
  setExecution,
  setSchedule,
} from '#schedules/record/schedule-rows.js';
import { endWaitingCalls, type CallEnd, type StoppedCalls } from '#schedules/runs/settling/waiting-calls.js';

// The commands that clients send to a schedule: pause, resume, cancel and trigger; and its deletion (purge), also for
// the retention sweep. Each runs within the transaction of its caller, which has locked the schedule.
//
// A new status clears `shown_status`, the word that a client chose for the old status.

/** How the schedule's state responds to a command. @throws Problem `invalid_state` if the response is to refuse it */
export function responseTo(schedule: ScheduleRow, command: ScheduleCommand) {
  const response = SCHEDULE_COMMANDS[schedule.status][command];
  if (response !== 'refuses') return response;
  throw new Problem('invalid_state', `This is not possible for a scheduled call that is ${schedule.status}.`);
}

/** A stopped schedule and its calls. */
export type Stopped = StoppedCalls & { schedule: ScheduleRow };

/** The instant of a stop, and for each open call of the schedule the end that it gets if it was not dialled yet. */
export interface Stop {
  at: number;
  ends: readonly CallEnd[];
}

/**
 * Holds a schedule until it is resumed: waiting retries and undialled calls end, with their runs. A live call goes on.
 */
export async function pauseSchedule(tx: Tx, schedule: ScheduleRow, { at, ends }: Stop): Promise<Stopped> {
  if (responseTo(schedule, 'pause') === 'nothing') return { schedule, over: [], liveCallIds: [] };
  const calls = await endWaitingCalls(tx, schedule.id, ends);
  return { ...calls, schedule: await holdPlan(tx, await reread(tx, schedule), at) };
}

/** Pauses a schedule without undialled calls: retries are cancelled, the planned run is held. */
async function holdPlan(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  const current = await cancelRetries(tx, schedule, at);
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  if (planned) await setExecution(tx, planned, { status: 'held' }, at);
  const paused = { status: 'paused', shown_status: null, paused_at: at } as const;
  return completeIfDone(tx, await setSchedule(tx, current, paused, at), at);
}

/**
 * Resumes a schedule. A recurring schedule continues with its next occurrence from now on. A one-time schedule whose
 * time has passed runs now, or is missed after its grace.
 */
export async function resumeSchedule(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  if (responseTo(schedule, 'resume') === 'nothing') return schedule;
  const resumed = await setSchedule(
    tx,
    schedule,
    { status: 'scheduled', shown_status: null, paused_at: null },
    at,
  );
  if (resumed.kind === 'recurring') {
    const plannedAfter = Math.max(at, resumed.planned_after);
    return planNext(tx, resumed, { nextRunAt: nextOccurrence(resumed, plannedAfter), plannedAfter, at });
  }
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  if (!planned) return resumed;
  const lateSeconds = Math.floor((at - planned.planned_at) / 1_000);
  if (lateSeconds <= resumed.grace_seconds) {
    await setExecution(tx, planned, { status: 'pending', due_at: planned.planned_at }, at);
    return resumed;
  }
  const error = `missed: its time passed ${lateSeconds} seconds ago, while it was paused`;
  return endExecution(tx, resumed, planned, { status: 'missed', error }, at);
}

/** Cancels a schedule and ends its undialled calls. A live call goes on; its result is still reported. */
export async function cancelSchedule(tx: Tx, schedule: ScheduleRow, { at, ends }: Stop): Promise<Stopped> {
  if (responseTo(schedule, 'cancel') !== 'nothing') await closeSchedule(tx, schedule, at);
  const calls = await endWaitingCalls(tx, schedule.id, ends);
  return { ...calls, schedule: await reread(tx, schedule) };
}

/** Reads the schedule again after its calls have changed it. */
async function reread(tx: Tx, { id }: ScheduleRow): Promise<ScheduleRow> {
  const schedule = await lockSchedule(tx, id);
  if (!schedule) throw new Error('a schedule that was held is gone');
  return schedule;
}

/** Cancels the row of a schedule, its planned run and its retries, but no call. */
async function closeSchedule(tx: Tx, schedule: ScheduleRow, at: number): Promise<void> {
  const cancelled = await setSchedule(
    tx,
    schedule,
    { status: 'cancelled', shown_status: null, cancelled_at: at, paused_at: null, next_run_at: null },
    at,
  );
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  if (planned) await setExecution(tx, planned, { status: 'cancelled', finished_at: at }, at);
  await cancelRetries(tx, cancelled, at);
}

/** Deletes a schedule and its executions; its calls stay. */
export async function purgeSchedule(
  tx: Tx,
  schedule: Pick<ScheduleRow, 'id' | 'webhook_id'>,
  at: number,
): Promise<void> {
  await tx.run('delete from executions where schedule_id = ?', schedule.id);
  await tx.run('delete from schedules where id = ?', schedule.id);
  if (schedule.webhook_id !== null)
    await removeNotificationTarget(tx, { webhookId: schedule.webhook_id, at });
}

/**
 * Starts an extra run now. The plan stays; a waiting retry is cancelled.
 * @throws Problem `invalid_state` while a call of the schedule is in progress, or if the schedule is neither scheduled
 *   nor paused; `agent_not_found`, or the problem of `requireProviders`
 */
export async function triggerSchedule(
  tx: Tx,
  schedule: ScheduleRow,
  context: { at: number; defaults: CallDefaults },
): Promise<{ schedule: ScheduleRow; execution: ExecutionRow }> {
  responseTo(schedule, 'trigger');
  if ((await openExecutions(tx, schedule.id)).some(({ status }) => status === 'in_progress'))
    throw new Problem('invalid_state', 'A call of this schedule is in progress.');
  const agent = await requireAgentSummary(tx, schedule.workspace, schedule.agent_id, 'agent_id');
  requireProviders(agent, context.defaults.providers);
  const run = schedule.runs + 1;
  const counted = await setSchedule(
    tx,
    await cancelRetries(tx, schedule, context.at),
    { runs: run },
    context.at,
  );
  const execution = await addExecution(
    tx,
    counted,
    { run, attempt: 1, origin: 'manual', reason: null, planned_at: context.at },
    context.at,
  );
  const started = await startExecution(tx, counted, execution, context);
  return { schedule: started, execution };
}
