import { LRUCache } from 'lru-cache';
import { nextTransition, offsetMs } from '#kernel/time/time-zone.js';

/** A period in which a zone has a constant offset from UTC; `calling-hours.ts` converts between UTC and local time. */
export interface OffsetPeriod {
  /** Local time minus UTC, in milliseconds. */
  offsetMs: number;
  /** The exclusive end (epoch milliseconds). The next period may have the same offset. */
  until: number;
}

/** The size of the cache: 25 weeks for each of about 400 zones, more than the calls of a day need. */
const MAX_CACHED_WEEKS = 10_000;
/** The cache has one entry for each zone and week. No zone has two transitions within a week. */
const WEEK_MS = 7 * 86_400_000;

/**
 * The periods of one week in a zone, before and after its transition, such as the start of daylight saving time. In a
 * week without a transition, `before` is the whole week.
 */
interface Week {
  before: OffsetPeriod;
  after: OffsetPeriod;
}

/** Weeks by zone and number. Reading an offset takes microseconds, and calling hours read the same weeks repeatedly. */
const weekCache = new LRUCache<string, Week>({ max: MAX_CACHED_WEEKS });

/** The period of constant offset around an instant (epoch milliseconds) in an IANA zone. */
export function offsetPeriodAt(zone: string, at: number): OffsetPeriod {
  const index = Math.floor(at / WEEK_MS);
  const key = `${zone} ${index}`;
  let week = weekCache.get(key);
  if (!week) weekCache.set(key, (week = readWeek(zone, index)));
  return at < week.before.until ? week.before : week.after;
}

/** The offsets of a zone in one week, before and after the clock change that the week may have. */
function readWeek(zone: string, index: number): Week {
  const from = index * WEEK_MS;
  const until = from + WEEK_MS;
  const changesAt = nextTransition(zone, from, until - 1) ?? until;
  return {
    before: { offsetMs: offsetMs(zone, from), until: changesAt },
    after: { offsetMs: offsetMs(zone, until - 1), until },
  };
}
