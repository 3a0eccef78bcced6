import {
  invalidScheduledTimeProblem,
  isLocal,
  zoneToStore,
  readScheduledTime,
  type PlanningSpan,
} from '#calls/requests/scheduled-time.js';
import { readInstant } from '#kernel/time/instants.js';
import type { WantedTime } from './handle-change.js';

/** The time that a client requested before a change: as written (null if not stored), and its instant. */
export interface AskedTime {
  written: string | null;
  at: number;
  /** The zone in which this time was read or that was named with it, if stored. */
  readIn: string | null;
  /** The zone that was named for the whole batch, if any. */
  zone: string | null;
}

/**
 * Reads a new time in place of an earlier one. If the new time has no offset and comes without a zone, it is read in
 * the zone of the earlier time. Earlier releases did not store that zone: then the zone of the batch or the default
 * zone is assumed. If the earlier time, read in the assumed zone, does not give its stored instant, the new time could
 * be wrong by hours and is refused.
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
 * The earlier time as written, if a change of the zone means that it is to be read again. Undefined without a new zone,
 * for the zone in which it was read, and for a time that is an instant or not stored.
 */
export function timeToReread(zone: string | undefined, before: AskedTime): string | undefined {
  const { written, readIn, zone: named } = before;
  if (zone === undefined || zone === (readIn ?? named) || written === null) return undefined;
  return isLocal(written) ? written : undefined;
}

/** True if the earlier time, read in this zone, gives another instant than the stored one: its zone was another. */
function isOfOtherZone({ written, at }: AskedTime, zone: string): boolean {
  return written !== null && isLocal(written) && readInstant(written, zone) !== at;
}
