import type { Tx } from '#store/transaction.js';
import { openExecutions, setExecution, setSchedule } from '#schedules/record/schedule-rows.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import { planTime, type PlannedTime } from './plan.js';
import { isPlanned } from './runs.js';

/**
 * The most by which new time-zone data are expected to move a local time: summer time and the offset of the zone may
 * change.
 */
const MAX_MOVE_MS = 3 * 3_600_000;

/**
 * Recomputes the next instant of a schedule from its local text and zone with the current time-zone data, after an
 * update of these data. A due occurrence that was not started is moved if its new instant is in the future.
 */
export async function replanSchedule(
  tx: Tx,
  schedule: ScheduleRow,
  args: { timeZoneVersion: string; at: number },
): Promise<ScheduleRow> {
  const { at } = args;
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  const version = { time_zone_version: args.timeZoneVersion };
  const recomputed = recomputePlan(schedule, planned?.planned_at ?? at);
  const isAhead = Math.max(planned?.planned_at ?? 0, recomputed?.scheduledAt ?? 0) > at;
  const isMoved = planned && recomputed && isAhead && recomputed.scheduledAt !== planned.planned_at;
  // Otherwise only the version is stored; `updated_at` stays, as clients see no change.
  if (!isMoved) return setSchedule(tx, schedule, version, schedule.updated_at);
  const moved = { planned_at: recomputed.scheduledAt, due_at: recomputed.scheduledAt };
  await setExecution(tx, planned, moved, at);
  const isOnce = schedule.kind === 'one_time';
  return setSchedule(
    tx,
    schedule,
    {
      ...version,
      next_run_at: recomputed.scheduledAt,
      ...(isOnce ? { scheduled_at: recomputed.scheduledAt, dst_adjusted: recomputed.adjusted } : {}),
    },
    at,
  );
}

/**
 * The instant of a plan by the current time-zone data; null if there is none. The new instant of a recurring schedule
 * may be earlier than the planned instant, but comes after `planned_after`: the occurrence before ran by the old data
 * and is not repeated.
 */
function recomputePlan(schedule: ScheduleRow, plannedAt: number): PlannedTime | null {
  const { scheduled_time: written, cron_expression: cron, timezone } = schedule;
  if (written !== null) return planTime(written, timezone);
  const after = Math.max(schedule.planned_after, plannedAt - MAX_MOVE_MS);
  const scheduledAt = cron === null ? null : new Recurrence(cron, timezone).next(after);
  return scheduledAt === null ? null : { scheduledAt, adjusted: null };
}
