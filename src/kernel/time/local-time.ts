import { toInstant } from './clock.js';
import { offsetMs } from './time-zone.js';

/** No zone has ever been further from UTC than this, and clocks are not set twice within the span of both. */
const FURTHEST_OFFSET_MS = 15 * 3_600_000;

/** What the clocks of a zone had to do with a local time: skipped it, or showed it twice. */
export type DstAdjustment = 'gap' | 'overlap';

/** The instant that a local time means. */
export interface ResolvedTime {
  epochMs: number;
  adjusted: DstAdjustment | null;
}

/**
 * The instant at which the clocks of a zone show a local time (our choice where they never or twice do): a time that
 * the clocks skip is moved forward by as much as they skip, one that they show twice is its first showing. The answer
 * depends on nothing but the arguments; date libraries resolve the second case by the season in which they are asked.
 * @param wallMs the reading of the clock, as epoch milliseconds of the same reading in UTC
 */
export function resolveLocalTime(wallMs: number, zone: string): ResolvedTime {
  const before = offsetMs(zone, wallMs - FURTHEST_OFFSET_MS);
  const after = offsetMs(zone, wallMs + FURTHEST_OFFSET_MS);
  if (before === after) return { epochMs: wallMs - before, adjusted: null };
  const early = wallMs - before;
  const late = wallMs - after;
  const isEarly = offsetMs(zone, early) === before;
  const isLate = offsetMs(zone, late) === after;
  if (isEarly && isLate) return { epochMs: early, adjusted: 'overlap' };
  if (isEarly) return { epochMs: early, adjusted: null };
  if (isLate) return { epochMs: late, adjusted: null };
  return { epochMs: early, adjusted: 'gap' };
}

/** An instant as the clocks of a zone show it, with their offset: `2026-11-23T09:00:00.000-05:00`. */
export function toLocalInstant(epochMs: number, zone: string): string {
  const offset = offsetMs(zone, epochMs);
  const minutes = Math.abs(Math.round(offset / 60_000));
  const twoDigits = (value: number) => String(value).padStart(2, '0');
  const suffix = `${offset < 0 ? '-' : '+'}${twoDigits(Math.floor(minutes / 60))}:${twoDigits(minutes % 60)}`;
  return toInstant(epochMs + offset).replace('Z', suffix);
}
