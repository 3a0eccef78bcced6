import { Problem } from '../kernel/errors.js';
import { readInstant } from '../kernel/instants.js';

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

function badTime(message: string): Problem {
  return new Problem('invalid_time', `scheduled_time: ${message}.`, {
    details: [{ field: 'scheduled_time', code: 'invalid_time', message }],
  });
}
