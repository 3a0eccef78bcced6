import type { Tx } from '#store/unit.js';
import { openExecutions, setExecution, setSchedule } from '#schedules/record/schedule-rows.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import { planTime, type PlannedTime } from './plan.js';
import { isPlanned } from './runs.js';

/** New time-zone data moves a local time by no more than this, ends of summer time and changes of zone included. */
const FURTHEST_MOVED_MS = 3 * 3_600_000;

/**
 * Finds the next instant of a plan anew from its local text and its zone, by the time-zone data of now. What is due and
 * was not begun has its time yet to come, where that lies ahead by this data.
 */
export async function replanSchedule(
  tx: Tx,
  schedule: ScheduleRow,
  args: { timeZoneVersion: string; at: number },
): Promise<ScheduleRow> {
  const { at } = args;
  const planned = (await openExecutions(tx, schedule.id)).find(isPlanned);
  const version = { time_zone_version: args.timeZoneVersion };
  const found = planAgain(schedule, planned?.planned_at ?? at);
  const isAhead = Math.max(planned?.planned_at ?? 0, found?.scheduledAt ?? 0) > at;
  const isMoved = planned && found && isAhead && found.scheduledAt !== planned.planned_at;
  if (!isMoved) return setSchedule(tx, schedule, version, schedule.updated_at);
  const moved = { planned_at: found.scheduledAt, due_at: found.scheduledAt };
  await setExecution(tx, planned, moved, at);
  const isOnce = schedule.kind === 'one_time';
  return setSchedule(
    tx,
    schedule,
    {
      ...version,
      next_run_at: found.scheduledAt,
      ...(isOnce ? { scheduled_at: found.scheduledAt, dst_adjusted: found.adjusted } : {}),
    },
    at,
  );
}

/**
 * What a plan means by the time-zone data of now; null when nothing. The occurrence before it was at its time by the
 * data of then, and is not due once more.
 */
function planAgain(schedule: ScheduleRow, plannedAt: number): PlannedTime | null {
  const { scheduled_time: written, cron_expression: cron, timezone } = schedule;
  if (written !== null) return planTime(written, timezone);
  const after = Math.max(schedule.planned_after, plannedAt - FURTHEST_MOVED_MS);
  const scheduledAt = cron === null ? null : new Recurrence(cron, timezone).next(after);
  return scheduledAt === null ? null : { scheduledAt, adjusted: null };
}
