import { requireAgentSummary } from '#agents/definitions/agent-rows.js';
import {
  addNotificationTarget,
  moveNotificationTarget,
  removeNotificationTarget,
} from '#webhooks/registrations/notification-target.js';
import { Problem } from '#kernel/errors/errors.js';
import type { Tx } from '#store/transaction.js';
import { askAboutChange, type AcceptContext } from '#schedules/record/accept-schedule.js';
import { isUsedUp, occurrences, planRequestedTime } from '#schedules/runs/executions/plan.js';
import { completeIfDone, isPlanned, planNext } from '#schedules/runs/executions/runs.js';
import { responseTo } from './schedule-commands.js';
import { isRestartable } from '#schedules/record/schedule-machine.js';
import { contextOf, type ScheduleUpdate } from '#schedules/record/schedule-request.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import {
  addExecution,
  openExecutions,
  setExecution,
  setSchedule,
  type ScheduleChanges,
} from '#schedules/record/schedule-rows.js';

/** The values that a change takes from outside its transaction, which reads no clock and no settings. */
export interface ChangeContext extends AcceptContext {
  timeZoneVersion: string;
  /** How far ahead a new time may be. */
  horizonDays: number;
  /** The notification target to create if the schedule has none. */
  target: { webhookId: string; secret: string };
}

/** A changed schedule, with the secret of its new notification target; null if the change created none. */
export interface ChangedSchedule {
  schedule: ScheduleRow;
  webhookSecret: string | null;
}

/**
 * Changes the fields of a schedule, for `PUT /api/scheduled-calls/{schedule_id}` and for changes under
 * `/batch/scheduled-calls`. A new time, expression, zone or end (`max_occurrences`) replans it, and may start a
 * schedule again that is completed or failed: a one-time schedule at a new time, a recurring schedule with any new plan
 * that has an occurrence left.
 * @throws Problem `invalid_state`, `invalid_time`, `invalid_cron_expression`, `validation_error`, `agent_not_found`
 */
export async function changeSchedule(
  tx: Tx,
  schedule: ScheduleRow,
  update: Partial<ScheduleUpdate>,
  context: ChangeContext,
): Promise<ChangedSchedule> {
  // Refuses a change while the run of a one-time schedule is in progress, and of a cancelled schedule.
  responseTo(schedule, 'update');
  refuseOtherKind(schedule, update);
  if (update.agent_id !== undefined)
    await requireAgentSummary(tx, schedule.workspace, update.agent_id, 'agent_id');
  const receiver = await changeReceiver(tx, schedule, update, context);
  const changed = await setSchedule(
    tx,
    schedule,
    { ...plainChanges(update), ...receiver.changes },
    context.at,
  );
  const planned =
    schedule.kind === 'one_time'
      ? await replanOnce(tx, changed, update, context)
      : await replanRecurring(tx, changed, update, context);
  await askAboutChange(tx, schedule, planned, context);
  return { schedule: planned, webhookSecret: receiver.secret };
}

/** Refuses fields of the other kind, such as a cron expression of a one-time schedule. */
function refuseOtherKind(schedule: ScheduleRow, update: Partial<ScheduleUpdate>): void {
  const foreignFields =
    schedule.kind === 'one_time'
      ? (['cron_expression', 'max_occurrences'] as const)
      : (['scheduled_time'] as const);
  const kind = schedule.kind === 'one_time' ? 'one-time' : 'recurring';
  const details = foreignFields
    .filter((field) => update[field] !== undefined && update[field] !== null)
    .map((field) => ({ field, code: 'invalid_value', message: `does not belong to a ${kind} schedule` }));
  if (details.length === 0) return;
  throw new Problem('validation_error', `${details[0]!.field} ${details[0]!.message}.`, { details });
}

/** The changed columns that do not affect the plan, without `webhook_url`. */
function plainChanges(update: Partial<ScheduleUpdate>): ScheduleChanges {
  const { agent_id, phone_number, from_phone, name, description } = update;
  const { metadata, retry_policy, call_window, webhook_events, grace_seconds } = update;
  const changes = {
    agent_id,
    phone_number,
    from_phone,
    name,
    description,
    customer_context: contextOf(update),
    metadata,
    retry_policy,
    call_window,
    webhook_events,
    grace_seconds,
  };
  return Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined));
}

/** Adds, moves or removes the notification target after a change of `webhook_url`. */
async function changeReceiver(
  tx: Tx,
  schedule: ScheduleRow,
  update: Partial<ScheduleUpdate>,
  { at, target }: ChangeContext,
): Promise<{ changes: ScheduleChanges; secret: string | null }> {
  const url = update.webhook_url;
  const { webhook_id: webhookId, id: ownerId, workspace } = schedule;
  if (url === undefined || url === schedule.webhook_url) return { changes: {}, secret: null };
  if (url === null) {
    if (webhookId !== null) await removeNotificationTarget(tx, { webhookId, at });
    return { changes: { webhook_url: null, webhook_id: null }, secret: null };
  }
  if (webhookId !== null) {
    await moveNotificationTarget(tx, { webhookId, url, at });
    return { changes: { webhook_url: url }, secret: null };
  }
  await addNotificationTarget(tx, { ...target, workspace, ownerId, url }, at);
  return { changes: { webhook_url: url, webhook_id: target.webhookId }, secret: target.secret };
}

/**
 * Replans a one-time schedule after a change of its time or zone; returns it unchanged without one. `shown_status`: the
 * status word that the client chose no longer applies to a restarted schedule.
 */
async function replanOnce(
  tx: Tx,
  schedule: ScheduleRow,
  update: Partial<ScheduleUpdate>,
  { at, timeZoneVersion, horizonDays }: ChangeContext,
): Promise<ScheduleRow> {
  const isRestart = isRestartable(schedule.status);
  const timezone = update.timezone ?? schedule.timezone;
  // A schedule that is over runs again only at a new time.
  const written = update.scheduled_time ?? (isRestart ? undefined : schedule.scheduled_time!);
  // Without a new time there is nothing to plan, unless a new zone moves the time of a schedule that is not over.
  if (update.scheduled_time === undefined && (update.timezone === undefined || isRestart))
    return update.timezone === undefined ? schedule : setSchedule(tx, schedule, { timezone }, at);
  const { scheduledAt, adjusted } = planRequestedTime(written!, timezone, { now: at, horizonDays });
  // The old time does not restart a schedule: a client that writes back what it has read must not cause a second call.
  if (isRestart && scheduledAt === schedule.scheduled_at) return setSchedule(tx, schedule, { timezone }, at);
  // A time in the recent past is due now.
  const plannedAt = Math.max(scheduledAt, at);
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  const run = schedule.runs + 1;
  if (planned) await setExecution(tx, planned, { planned_at: plannedAt, due_at: plannedAt }, at);
  else
    await addExecution(
      tx,
      schedule,
      { run, attempt: 1, origin: 'schedule', reason: null, planned_at: plannedAt },
      at,
    );
  return setSchedule(
    tx,
    schedule,
    {
      scheduled_time: written!,
      scheduled_at: scheduledAt,
      dst_adjusted: adjusted,
      timezone,
      ...(planned ? {} : { runs: run }),
      ...(isRestart ? { status: 'scheduled' as const, shown_status: null } : {}),
      time_zone_version: timeZoneVersion,
      next_run_at: plannedAt,
    },
    at,
  );
}

/** Replans a recurring schedule after a change of its expression, zone or end; returns it unchanged without one. */
async function replanRecurring(
  tx: Tx,
  schedule: ScheduleRow,
  update: Partial<ScheduleUpdate>,
  { at, timeZoneVersion }: ChangeContext,
): Promise<ScheduleRow> {
  const { cron_expression: cron, timezone, max_occurrences: max } = update;
  if (cron === undefined && timezone === undefined && max === undefined) return schedule;
  const changes = {
    cron_expression: cron ?? schedule.cron_expression!,
    timezone: timezone ?? schedule.timezone,
    max_occurrences: max === undefined ? schedule.max_occurrences : max,
    time_zone_version: timeZoneVersion,
  };
  const changed = await setSchedule(tx, schedule, changes, at);
  const isRestart = isRestartable(schedule.status);
  const plannedAfter = Math.max(at, schedule.planned_after);
  // The next run is kept, even if it is due now, when the plan is unchanged or only its end changes.
  const isKept = schedule.status === 'scheduled' && !isOtherPlan(schedule, changed);
  const kept = isKept ? schedule.next_run_at : null;
  const next = kept ?? occurrences(changes.cron_expression, changes.timezone, plannedAfter, 1)[0]!;
  const nextRunAt = isUsedUp(changed) ? null : next;
  if (isRestart && nextRunAt === null) return changed;
  const active = isRestart
    ? await setSchedule(tx, changed, { status: 'scheduled', shown_status: null }, at)
    : changed;
  const after = kept === null ? plannedAfter : schedule.planned_after;
  return completeIfDone(tx, await planNext(tx, active, { nextRunAt, plannedAfter: after, at }), at);
}

/** True if two versions of a recurring schedule have different plans. */
function isOtherPlan(before: ScheduleRow, after: ScheduleRow): boolean {
  const planOf = ({ cron_expression, timezone, time_zone_version }: ScheduleRow) =>
    JSON.stringify([cron_expression, timezone, time_zone_version]);
  return planOf(before) !== planOf(after);
}
