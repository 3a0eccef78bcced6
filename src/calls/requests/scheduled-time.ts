import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import { readInstant, readWrittenTime } from '#kernel/time/instants.js';
import { isTimeZone } from '#kernel/time/time-zone.js';

/** How late a call may be asked for: clocks differ, and requests wait. Our choice. */
const LATEST_PAST_MS = 300_000;
const DAY_MS = 86_400_000;

/** The span of time in which calls may be planned. */
export interface PlanningSpan {
  now: number;
  /** How far ahead (`PLANNING_HORIZON_DAYS`). */
  horizonDays: number;
}

/**
 * Reads `scheduled_time` of a request.
 * @param zone of times without an offset
 * @returns epoch milliseconds
 * @throws Problem `invalid_time`
 */
export function readScheduledTime(written: string, zone: string, span: PlanningSpan): number {
  const at = readInstant(written, zone);
  if (at === null) throw invalidScheduledTime('is not a time such as 2026-12-01T15:00:00Z');
  requireSchedulable(at, span);
  return at;
}

/**
 * The zone that a time is kept with when nobody named one, to be read anew by other time-zone data; null for one that
 * is an instant.
 */
export function keptZone(written: string, zone: string): string | null {
  return isLocal(written) ? zone : null;
}

/**
 * What a time that was kept with a zone means by the time-zone data of now; null for an instant, which is the same by
 * any, and where that is no zone any more.
 */
export function readKeptTime(written: string, zone: string): number | null {
  return isLocal(written) && isTimeZone(zone) ? readInstant(written, zone) : null;
}

/** Whether a time has no offset. */
export function isLocal(written: string): boolean {
  return readWrittenTime(written)?.kind === 'local';
}

/** @throws Problem `invalid_time` for an instant that is too long past, or too far ahead */
export function requireSchedulable(at: number, { now, horizonDays }: PlanningSpan): void {
  if (at < now - LATEST_PAST_MS) throw invalidScheduledTime('is more than 300 seconds in the past');
  if (at > now + horizonDays * DAY_MS)
    throw invalidScheduledTime(`is more than ${horizonDays} days ahead (PLANNING_HORIZON_DAYS)`);
}

/** @param message goes on from the name of the field */
export function invalidScheduledTime(message: string): Problem {
  return fieldProblem('invalid_time', 'scheduled_time', message);
}
