import { invalidScheduledTime, readScheduledTime } from '../../calls/requests/scheduled-time.js';
import { readInstant, readWrittenTime } from '../../kernel/instants.js';

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
    throw invalidScheduledTime(
      'needs an offset or a timezone, since the time before was in a time zone of its own',
    );
  return readScheduledTime(written, zone ?? assumed, now);
}

function isLocal(written: string): boolean {
  return readWrittenTime(written)?.kind === 'local';
}

function isOfOtherZone({ written, at }: AskedTime, usualZone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, usualZone) !== at;
}
