import { Problem } from '../kernel/errors.js';
import { readInstant, readWrittenTime } from '../kernel/instants.js';

/** A call may be asked for a little late, and not for next year's next year. */
const LATEST_PAST_MS = 300_000;
const FURTHEST_FUTURE_MS = 366 * 86_400_000;

/**
 * Reads `scheduled_time` of a request.
 * @param zone of times without an offset
 * @returns epoch milliseconds
 * @throws Problem `invalid_time`
 */
export function readScheduledAt(written: string, zone: string, now: number): number {
  const at = readInstant(written, zone);
  if (at === null) throw badTime('is not a time such as 2026-12-01T15:00:00Z');
  if (at < now - LATEST_PAST_MS) throw badTime('is more than 300 seconds in the past');
  if (at > now + FURTHEST_FUTURE_MS) throw badTime('is more than 366 days ahead');
  return at;
}

/** A time that was asked for before: as it was written, and the instant that it was taken for. */
export interface AskedTime {
  written: string | null;
  at: number;
  /** The zone that was named with it, where that is known. */
  zone: string | null;
}

/**
 * Reads a new time for what had one already, without an offset in the zone of that. A single call, or a single number,
 * does not keep its zone: where the time before was not of the usual one, a time without an offset would be wrong by
 * hours, and is refused.
 * @throws Problem `invalid_time`
 */
export function readNewTime(
  { written, zone }: { written: string; zone: string | undefined },
  before: AskedTime,
  { usualZone, now }: { usualZone: string; now: number },
): number {
  const assumed = before.zone ?? usualZone;
  if (zone === undefined && isLocal(written) && isOfOtherZone(before, assumed))
    throw badTime('needs an offset or a timezone, since the time before was in a time zone of its own');
  return readScheduledAt(written, zone ?? assumed, now);
}

function isLocal(written: string): boolean {
  return readWrittenTime(written)?.kind === 'local';
}

function isOfOtherZone({ written, at }: AskedTime, usualZone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, usualZone) !== at;
}

function badTime(message: string): Problem {
  return new Problem('invalid_time', `scheduled_time: ${message}.`, {
    details: [{ field: 'scheduled_time', code: 'invalid_time', message }],
  });
}
