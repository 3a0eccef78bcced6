import { resolveLocalTime, type DstAdjustment } from '../kernel/local-time.js';
import { readWrittenTime } from '../kernel/instants.js';
import { Problem } from '../kernel/errors.js';
import { Recurrence } from './recurrence.js';
import type { ScheduleRow } from './schedule.js';

/** A time may be asked for a little late, and not for next year's next year. */
const LATEST_PAST_MS = 300_000;
const FURTHEST_FUTURE_MS = 366 * 86_400_000;
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
  if (planned === null) throw badTime('is not a time such as 2026-12-25 10:00:00');
  if (planned.scheduledAt < now - LATEST_PAST_MS) throw badTime('is more than 300 seconds in the past');
  if (planned.scheduledAt > now + FURTHEST_FUTURE_MS) throw badTime('is more than 366 days ahead');
  return planned;
}

function badTime(message: string): Problem {
  return new Problem('invalid_time', `scheduled_time: ${message}.`, {
    details: [{ field: 'scheduled_time', code: 'invalid_time', message }],
  });
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
  const message = 'is never due';
  throw new Problem('invalid_cron_expression', `cron_expression: ${message}.`, {
    details: [{ field: 'cron_expression', code: 'invalid_cron_expression', message }],
  });
}
