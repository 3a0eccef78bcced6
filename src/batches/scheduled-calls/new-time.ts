import {
  invalidScheduledTimeProblem,
  isLocal,
  zoneToStore,
  readScheduledTime,
  type PlanningSpan,
} from '#calls/requests/scheduled-time.js';
import { readInstant } from '#kernel/time/instants.js';
import type { WantedTime } from './handle-change.js';

/** An earlier requested time: as written, and its instant. */
export interface AskedTime {
  written: string | null;
  at: number;
  /** The zone in which this time was read or that was named with it, if stored. */
  readIn: string | null;
  /** The zone that was named for the whole batch, if any. */
  zone: string | null;
}

/**
 * Reads a new time in place of an earlier one. Without an offset and a zone, the new time is read in the zone of the
 * earlier one. Earlier releases did not store that zone: if the earlier time does not fit the default zone, a local
 * time could be wrong by hours and is refused.
 * @throws Problem `invalid_time`
 */
export function readNewTime(
  { written, zone }: { written: string; zone: string | undefined },
  before: AskedTime,
  { usualZone, ...span }: { usualZone: string } & PlanningSpan,
): Pick<Required<WantedTime>, 'at' | 'readIn'> {
  const assumed = before.readIn ?? before.zone ?? usualZone;
  const isSure = zone !== undefined || before.readIn !== null;
  if (!isSure && isLocal(written) && isOfOtherZone(before, assumed))
    throw invalidScheduledTimeProblem(
      'needs an offset or a timezone, since the time before was in a time zone of its own',
    );
  const readIn = zone ?? assumed;
  return { at: readScheduledTime(written, readIn, span), readIn: zone ?? zoneToStore(written, readIn) };
}

/**
 * The earlier time as written, if it is to be read again in another zone; undefined for an instant, and for the zone in
 * which it was read.
 */
export function timeToReread(zone: string | undefined, before: AskedTime): string | undefined {
  const { written, readIn, zone: named } = before;
  if (zone === undefined || zone === (readIn ?? named) || written === null) return undefined;
  return isLocal(written) ? written : undefined;
}

/** True if the earlier time, read in this zone, gives another instant than the stored instant. */
function isOfOtherZone({ written, at }: AskedTime, zone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, zone) !== at;
}
