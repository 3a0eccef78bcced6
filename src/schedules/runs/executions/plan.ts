import { resolveLocalTime, type DstAdjustment } from '#kernel/time/local-time.js';
import { readWrittenTime } from '#kernel/time/instants.js';
import {
  invalidScheduledTimeProblem,
  requireSchedulable,
  type PlanningSpan,
} from '#calls/requests/scheduled-time.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';

// Computes when schedules run: instants of written times, and occurrences of cron expressions. For the commands on
// schedules and for the scheduler; no function reads the clock or the database.

/**
 * About how many missed occurrences are recorded, each by an execution, after a long downtime; older occurrences are
 * skipped.
 */
const MAX_BACKLOG = 1_000;

/** A written time as an instant (epoch milliseconds), and how a clock change moved it. */
export interface PlannedTime {
  scheduledAt: number;
  adjusted: DstAdjustment | null;
}

/** The instant of a written time, read in `zone` if it has no offset; null for an invalid time. */
export function planTime(written: string, zone: string): PlannedTime | null {
  const time = readWrittenTime(written);
  if (time === null) return null;
  if (time.kind === 'instant') return { scheduledAt: time.epochMs, adjusted: null };
  const { epochMs, adjusted } = resolveLocalTime(time.localMs, zone);
  return { scheduledAt: epochMs, adjusted };
}

/**
 * Like {@link planTime}, for the time in a request.
 * @throws Problem `invalid_time` for a text that is no time, too long ago, or too far ahead
 */
export function planRequestedTime(written: string, zone: string, span: PlanningSpan): PlannedTime {
  const planned = planTime(written, zone);
  if (planned === null) throw invalidScheduledTimeProblem('is not a time such as 2026-12-25 10:00:00');
  requireSchedulable(planned.scheduledAt, span);
  return planned;
}

/** The next occurrence of a recurring schedule after an instant; null if none is left, and for a one-time schedule. */
export function nextOccurrence(
  schedule: Pick<ScheduleRow, 'cron_expression' | 'timezone' | 'max_occurrences' | 'occurrences'>,
  afterMs: number,
): number | null {
  if (schedule.cron_expression === null) return null;
  if (isUsedUp(schedule)) return null;
  return new Recurrence(schedule.cron_expression, schedule.timezone).next(afterMs);
}

/** True if the schedule has had `max_occurrences` runs. */
export function isUsedUp(schedule: Pick<ScheduleRow, 'max_occurrences' | 'occurrences'>): boolean {
  return schedule.max_occurrences !== null && schedule.occurrences >= schedule.max_occurrences;
}

/** The {@link nextOccurrence} after a missed occurrence. In a long backlog, the older occurrences are skipped. */
export function nextAfterMissed(
  schedule: Parameters<typeof nextOccurrence>[0],
  missedMs: number,
  now: number,
): number | null {
  const next = nextOccurrence(schedule, missedMs);
  if (next === null || next > now) return next;
  // An estimate: as if all intervals were as long as that between the missed and the next occurrence.
  const oldestMs = now - MAX_BACKLOG * (next - missedMs);
  return next < oldestMs ? nextOccurrence(schedule, oldestMs) : next;
}

/**
 * The next `count` instants at which an expression is due, for requests and previews.
 * @throws Problem `invalid_cron_expression` if it is never due
 */
export function occurrences(expression: string, zone: string, afterMs: number, count: number): number[] {
  const instants = new Recurrence(expression, zone).take(count, afterMs);
  if (instants.length > 0) return instants;
  throw fieldProblem('invalid_cron_expression', 'cron_expression', 'is never due');
}
