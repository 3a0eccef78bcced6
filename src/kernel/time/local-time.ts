import { toInstant } from './clock.js';
import { offsetMs } from './time-zone.js';

/** More than the offset of any zone from UTC, and so little that no zone has two transitions within twice this span. */
const MAX_OFFSET_MS = 15 * 3_600_000;

/** How a transition of the zone affects a local time: the clocks skip it (`gap`), or show it twice (`overlap`). */
export type DstAdjustment = 'gap' | 'overlap';

/** The instant of a local time, and whether a transition of the zone affects it (null if not). */
export interface ResolvedTime {
  epochMs: number;
  adjusted: DstAdjustment | null;
}

/**
 * The instant of a local time in a zone. A time in a gap moves forward by the length of the gap; a time in an overlap
 * is the first of the two. luxon's result for an overlap depends on the current date, so it is not used.
 * @param localMs the local time, as epoch milliseconds of the same reading in UTC
 */
export function resolveLocalTime(localMs: number, zone: string): ResolvedTime {
  // The instant is less than `MAX_OFFSET_MS` away from `localMs`, so a transition that matters lies between these two.
  const before = offsetMs(zone, localMs - MAX_OFFSET_MS);
  const after = offsetMs(zone, localMs + MAX_OFFSET_MS);
  if (before === after) return { epochMs: localMs - before, adjusted: null };
  // The two candidates: the local time by the offset before the transition, and by the offset after it. A candidate is
  // valid if the zone has that offset at that instant.
  const early = localMs - before;
  const late = localMs - after;
  const isEarly = offsetMs(zone, early) === before;
  const isLate = offsetMs(zone, late) === after;
  if (isEarly && isLate) return { epochMs: early, adjusted: 'overlap' };
  if (isEarly) return { epochMs: early, adjusted: null };
  if (isLate) return { epochMs: late, adjusted: null };
  // Neither: the clocks skip this time. The offset before the gap moves the time forward by the length of the gap.
  return { epochMs: early, adjusted: 'gap' };
}

/** Formats an instant as local time with its offset: `2026-11-23T09:00:00.000-05:00`. */
export function toLocalInstant(epochMs: number, zone: string): string {
  const offset = offsetMs(zone, epochMs);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const suffix = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return toInstant(epochMs + offset).replace('Z', suffix);
}
