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
  /** The zone named for this and other times, if any. */
  zone: string | null;
}

/**
 * Reads a new time in place of an earlier one; without an offset it is read in the zone of that. A zone that earlier
 * releases did not store and that was not the default is unknown: a local time could then be wrong by hours and is
 * refused.
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
 * The earlier time as written, if another zone makes it another instant; undefined for an instant, and for the zone in
 * which it was read.
 */
export function rereadIn(zone: string | undefined, before: AskedTime): string | undefined {
  const { written, readIn, zone: named } = before;
  if (zone === undefined || zone === (readIn ?? named) || written === null) return undefined;
  return isLocal(written) ? written : undefined;
}

function isOfOtherZone({ written, at }: AskedTime, usualZone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, usualZone) !== at;
}
