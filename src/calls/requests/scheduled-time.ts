import { fieldProblem, type Problem } from '#kernel/errors/errors.js';
import { readInstant, readWrittenTime } from '#kernel/time/instants.js';
import { isTimeZone } from '#kernel/time/time-zone.js';

// Reads and checks the field `scheduled_time` of requests for calls, batches and schedules.

/** How far in the past a scheduled time may be: clocks differ, and requests take time. */
const MAX_PAST_MS = 300_000;
const DAY_MS = 86_400_000;

/** How far ahead calls may be planned, and from when. */
export interface PlanningSpan {
  /** Epoch milliseconds. */
  now: number;
  /** The number of days ahead (`PLANNING_HORIZON_DAYS`). */
  horizonDays: number;
}

/**
 * Reads `scheduled_time` of a request.
 * @param zone the IANA zone of times without an offset
 * @returns epoch milliseconds
 * @throws Problem `invalid_time`
 */
export function readScheduledTime(written: string, zone: string, span: PlanningSpan): number {
  const at = readInstant(written, zone);
  if (at === null) throw invalidScheduledTimeProblem('is not a time such as 2026-12-01T15:00:00Z');
  requireSchedulable(at, span);
  return at;
}

/**
 * The zone to store with a local time whose request named none, so that newer time-zone data can apply to it; null for
 * an instant.
 */
export function zoneToStore(written: string, zone: string): string | null {
  return isLocal(written) ? zone : null;
}

/**
 * Reads a local time that is stored with a zone, by the current time-zone data, in epoch milliseconds. Null for a text
 * that is an instant or no time, because time-zone data do not change it, and for an unknown zone.
 */
export function readStoredTime(written: string, zone: string): number | null {
  return isLocal(written) && isTimeZone(zone) ? readInstant(written, zone) : null;
}

/** True if a written time has no offset: `2026-12-01T15:00` is local, `2026-12-01T15:00Z` is not. */
export function isLocal(written: string): boolean {
  return readWrittenTime(written)?.kind === 'local';
}

/** Checks an instant (epoch milliseconds). @throws Problem `invalid_time` if it is too long past, or too far ahead */
export function requireSchedulable(at: number, { now, horizonDays }: PlanningSpan): void {
  if (at < now - MAX_PAST_MS) throw invalidScheduledTimeProblem('is more than 300 seconds in the past');
  if (at > now + horizonDays * DAY_MS)
    throw invalidScheduledTimeProblem(`is more than ${horizonDays} days ahead (PLANNING_HORIZON_DAYS)`);
}

/**
 * The problem `invalid_time` about the field.
 * @param message continues the sentence that begins with the field's name
 */
export function invalidScheduledTimeProblem(message: string): Problem {
  return fieldProblem('invalid_time', 'scheduled_time', message);
}
