import {
  invalidScheduledTime,
  isLocal,
  keptZone,
  readScheduledTime,
} from '#calls/requests/scheduled-time.js';
import { readInstant } from '#kernel/time/instants.js';
import type { WantedTime } from './handle-change.js';

/** A time that was asked for before: as it was written, and the instant that it was taken for. */
export interface AskedTime {
  written: string | null;
  at: number;
  /** The zone in which this very time was read, or that was named beside it, where that is kept. */
  readIn: string | null;
  /** The zone that was named for it and others, where one was. */
  zone: string | null;
}

/**
 * Reads a new time for what had one already, without an offset in the zone of that. Where that zone is not kept, as
 * earlier releases did, and was not the usual one, a time without an offset would be wrong by hours, and is refused.
 * @throws Problem `invalid_time`
 */
export function readNewTime(
  { written, zone }: { written: string; zone: string | undefined },
  before: AskedTime,
  { usualZone, now }: { usualZone: string; now: number },
): Pick<Required<WantedTime>, 'at' | 'readIn'> {
  const assumed = before.readIn ?? before.zone ?? usualZone;
  const isSure = zone !== undefined || before.readIn !== null;
  if (!isSure && isLocal(written) && isOfOtherZone(before, assumed))
    throw invalidScheduledTime(
      'needs an offset or a timezone, since the time before was in a time zone of its own',
    );
  const readIn = zone ?? assumed;
  return { at: readScheduledTime(written, readIn, now), readIn: zone ?? keptZone(written, readIn) };
}

/**
 * The time before, as it was written, where another zone makes it another instant; undefined for an instant, which is
 * the same in every zone, and for the zone in which it was read.
 */
export function rereadIn(zone: string | undefined, before: AskedTime): string | undefined {
  const { written, readIn, zone: named } = before;
  if (zone === undefined || zone === (readIn ?? named) || written === null) return undefined;
  return isLocal(written) ? written : undefined;
}

function isOfOtherZone({ written, at }: AskedTime, usualZone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, usualZone) !== at;
}
