import { resolveLocalTime, type DstAdjustment } from '#kernel/time/local-time.js';
import { readWrittenTime } from '#kernel/time/instants.js';
import { invalidScheduledTime, requireSchedulable } from '#calls/requests/scheduled-time.js';
import { fieldProblem } from '#kernel/errors/errors.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';

/** After a long stop, so many of the occurrences that were missed are told one by one; older ones are passed over. */
const LONGEST_BACKLOG = 1_000;

/** What a written time means. */
export interface PlannedTime {
  scheduledAt: number;
  adjusted: DstAdjustment | null;
}

/** The instant of a written time; a text that carries no offset is read in the zone. Null: it is no time. */
export function planTime(written: string, zone: string): PlannedTime | null {
  const time = readWrittenTime(written);
  if (time === null) return null;
  if (time.kind === 'instant') return { scheduledAt: time.epochMs, adjusted: null };
  const { epochMs, adjusted } = resolveLocalTime(time.wallMs, zone);
  return { scheduledAt: epochMs, adjusted };
}

/**
 * {@link planTime} for a time that is being asked for.
 * @throws Problem `invalid_time` for what is no time, long past, or too far ahead
 */
export function planWantedTime(written: string, zone: string, now: number): PlannedTime {
  const planned = planTime(written, zone);
  if (planned === null) throw invalidScheduledTime('is not a time such as 2026-12-25 10:00:00');
  requireSchedulable(planned.scheduledAt, now);
  return planned;
}

/** The next occurrence of a recurring schedule after an instant; null when there is none, or none is left. */
export function nextOccurrence(
  schedule: Pick<ScheduleRow, 'cron_expression' | 'timezone' | 'max_occurrences' | 'occurrences'>,
  afterMs: number,
): number | null {
  if (schedule.cron_expression === null) return null;
  if (isUsedUp(schedule)) return null;
  return new Recurrence(schedule.cron_expression, schedule.timezone).next(afterMs);
}

/** Whether a schedule has had as many runs as it may. */
export function isUsedUp(schedule: Pick<ScheduleRow, 'max_occurrences' | 'occurrences'>): boolean {
  return schedule.max_occurrences !== null && schedule.occurrences >= schedule.max_occurrences;
}

/** {@link nextOccurrence} after one that lies in the past: of a very long backlog, only the newer part. */
export function nextAfterMissed(
  schedule: Parameters<typeof nextOccurrence>[0],
  missedMs: number,
  now: number,
): number | null {
  const next = nextOccurrence(schedule, missedMs);
  if (next === null || next > now) return next;
  const oldestMs = now - LONGEST_BACKLOG * (next - missedMs);
  return next < oldestMs ? nextOccurrence(schedule, oldestMs) : next;
}

/**
 * The next instants at which an expression is due.
 * @throws Problem `invalid_cron_expression` when it never is
 */
export function occurrences(expression: string, zone: string, afterMs: number, count: number): number[] {
  const instants = new Recurrence(expression, zone).take(count, afterMs);
  if (instants.length > 0) return instants;
  throw fieldProblem('invalid_cron_expression', 'cron_expression', 'is never due');
}
