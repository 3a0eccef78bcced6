import { findAgentSummary } from '#agents/definitions/agent-rows.js';
import { draftCall, type CallDefaults } from '#calls/requests/draft-call.js';
import { createCall } from '#calls/record/create-call.js';
import { enqueueAttempt } from '#calls/queue/dial-queue.js';
import { recordNotification } from '#webhooks/deliveries/record-events.js';
import { derivedId } from '#kernel/ids/ids.js';
import type { Tx } from '#store/transaction.js';
import { toExecutionResource } from './execution-resource.js';
import { nextOccurrence } from './plan.js';
import { countStarted, countRunOver, type RUN_RESULTS } from './run-counters.js';
import { planCall } from './schedule-call.js';
import type { ExecutionRow, ScheduleRow, WebhookEvent } from '#schedules/record/schedule.js';
import { addExecution, openExecutions, setExecution, setSchedule } from '#schedules/record/schedule-rows.js';

// The steps of a run: starting its call, ending its executions, and planning the next run. They run within the
// transaction of the caller, which holds the lock of the schedule; those that change the schedule return its new row.

/** The end of an execution; `duration` in seconds. */
export interface ExecutionEnd {
  status: (typeof RUN_RESULTS)[number];
  error: string | null;
  duration?: number;
}

/** Queues an event for the schedule's own `webhook_url` if the schedule has one that receives this event. */
async function notifyReceiver(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  event: WebhookEvent,
  at: number,
): Promise<void> {
  if (schedule.webhook_id === null || !schedule.webhook_events.includes(event)) return;
  await recordNotification(tx, {
    id: derivedId('evt', at, execution.id, event),
    workspace: schedule.workspace,
    type: `scheduled_call.${event}`,
    subjectId: schedule.id,
    webhookId: schedule.webhook_id,
    at,
    data: {
      ...toExecutionResource(execution),
      schedule_id: schedule.id,
      name: schedule.name,
      agent_id: schedule.agent_id,
      phone_number: schedule.phone_number,
      metadata: schedule.metadata,
      customer_context: schedule.customer_context,
    },
  });
}

/** Creates the call of an execution and queues it for the dialler. Ends the run if the agent is gone. */
export async function startExecution(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  context: { at: number; defaults: CallDefaults },
): Promise<ScheduleRow> {
  const { at, defaults } = context;
  const agent = await findAgentSummary(tx, schedule.workspace, schedule.agent_id);
  if (!agent)
    return endExecution(tx, schedule, execution, { status: 'failed', error: 'agent_not_found' }, at);
  const callId = derivedId('call', at, execution.id);
  await createCall(tx, {
    call: draftCall(callId, planCall(schedule, execution, at), defaults),
    agent,
    // No links: this transaction announces no event of the call.
    context: { at, links: null },
  });
  // The call may wait in the dialler's queue, but at most until the grace of the schedule ends.
  const graceMs = latestAt(schedule, execution) - at;
  const id = derivedId('dial', at, execution.id);
  enqueueAttempt(tx, { id, callId, lane: 'single', dueAt: at, graceMs, at });
  const lateMs = Math.max(0, at - execution.planned_at);
  const started = await setExecution(
    tx,
    execution,
    { status: 'in_progress', started_at: at, late_ms: lateMs, call_id: callId },
    at,
  );
  countStarted(tx, lateMs);
  // A retry continues a run whose start was reported.
  if (execution.attempt === 1) await notifyReceiver(tx, schedule, started, 'started', at);
  const isOnlyRun = schedule.kind === 'one_time' && execution.origin === 'schedule';
  return setSchedule(
    tx,
    schedule,
    {
      ...(isOnlyRun && schedule.status === 'scheduled' ? { status: 'in_progress' as const } : {}),
      last_run_at: at,
      last_status: 'in_progress',
      last_call_id: callId,
    },
    at,
  );
}

/** The instant after which an execution is too late: lateness is counted in whole seconds, as by `tooLateEnd`. */
function latestAt(schedule: ScheduleRow, execution: ExecutionRow): number {
  return execution.planned_at + (schedule.grace_seconds + 1) * 1_000;
}

/** Ends an execution and its run; see {@link endRun}. */
export async function endExecution(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  end: ExecutionEnd,
  at: number,
): Promise<ScheduleRow> {
  const ended = await setExecution(tx, execution, { ...end, finished_at: at }, at);
  return endRun(tx, schedule, ended, at);
}

/**
 * Ends a run: notifies the receiver and updates the schedule. `last` is the last execution of the run, whose status is
 * the result of the run.
 */
export async function endRun(
  tx: Tx,
  schedule: ScheduleRow,
  last: ExecutionRow,
  at: number,
): Promise<ScheduleRow> {
  const isSuccess = last.status === 'completed';
  countRunOver(tx, last.status);
  // The planned run of a one-time schedule ends the schedule; a manual run does not.
  const isOnlyRun = schedule.kind === 'one_time' && last.origin === 'schedule';
  // A skipped occurrence sends no event: another run of the same schedule is in progress, and the skipped run never
  // started.
  if (last.status !== 'skipped' || last.attempt > 1 || isOnlyRun)
    await notifyReceiver(tx, schedule, last, isSuccess ? 'completed' : 'failed', at);
  const isOpen = schedule.status !== 'cancelled';
  return setSchedule(
    tx,
    schedule,
    {
      last_status: last.status,
      ...(isOnlyRun && isOpen
        ? { status: isSuccess ? ('completed' as const) : ('failed' as const), next_run_at: null }
        : {}),
    },
    at,
  );
}

/** Cancels waiting retries and ends their runs as cancelled, with the failure of the attempt before as the error. */
export async function cancelRetries(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  let current = schedule;
  for (const execution of await openExecutions(tx, schedule.id)) {
    if (execution.attempt === 1 || execution.status === 'in_progress') continue;
    // The failure of the attempt before is the reason of this retry.
    const error = execution.reason;
    current = await endExecution(tx, current, execution, { status: 'cancelled', error }, at);
  }
  return current;
}

/**
 * Plans the next occurrence of a recurring schedule; an occurrence that is planned already is moved. Without a next
 * occurrence (`nextRunAt` is null) the planned one is cancelled, and the schedule is completed unless another execution
 * is open.
 */
export async function planNext(
  tx: Tx,
  schedule: ScheduleRow,
  args: { nextRunAt: number | null; plannedAfter: number; at: number },
): Promise<ScheduleRow> {
  const { nextRunAt, plannedAfter, at } = args;
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  const status = schedule.status === 'paused' ? 'held' : 'pending';
  const changes = { next_run_at: nextRunAt, planned_after: Math.max(plannedAfter, schedule.planned_after) };
  if (nextRunAt === null) {
    if (planned) await setExecution(tx, planned, { status: 'cancelled', finished_at: at }, at);
    return completeIfDone(tx, await setSchedule(tx, schedule, changes, at), at);
  }
  if (planned) {
    await setExecution(tx, planned, { status, planned_at: nextRunAt, due_at: nextRunAt }, at);
    return setSchedule(tx, schedule, changes, at);
  }
  const run = schedule.runs + 1;
  await addExecution(
    tx,
    schedule,
    { run, attempt: 1, origin: 'schedule', reason: null, planned_at: nextRunAt, status },
    at,
  );
  return setSchedule(tx, schedule, { ...changes, runs: run }, at);
}

/** True if an open execution is the planned occurrence, which has not started. A schedule has at most one. */
export function isPlanned(execution: ExecutionRow): boolean {
  return execution.attempt === 1 && execution.origin === 'schedule' && execution.status !== 'in_progress';
}

/** Completes an active recurring schedule that has neither a next run nor an open execution; else changes nothing. */
export async function completeIfDone(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  const isActive = schedule.status === 'scheduled' || schedule.status === 'paused';
  if (schedule.kind === 'one_time' || !isActive || schedule.next_run_at !== null) return schedule;
  if ((await openExecutions(tx, schedule.id)).length > 0) return schedule;
  return setSchedule(tx, schedule, { status: 'completed' }, at);
}

/**
 * Uncounts the occurrence of a run that was never dialled. If that occurrence had been the last one allowed
 * (`max_occurrences`), another occurrence is planned.
 */
export async function returnOccurrence(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  const returned = await setSchedule(
    tx,
    schedule,
    { occurrences: Math.max(0, schedule.occurrences - 1) },
    at,
  );
  const isActive = schedule.status === 'scheduled' || schedule.status === 'paused';
  if (!isActive || returned.next_run_at !== null) return returned;
  const plannedAfter = Math.max(at, returned.planned_after);
  return planNext(tx, returned, { nextRunAt: nextOccurrence(returned, plannedAfter), plannedAfter, at });
}
