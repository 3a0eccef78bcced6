import type { CallWindow } from './call-window.js';
import { LRUCache } from 'lru-cache';
import { nextTransition, offsetMs } from '#kernel/time/time-zone.js';

// Computes when call windows are open, in one or several time zones. If the prefix of a number spans several zones, the
// number is called only when the window is open in all of them. If two windows apply, both must be open. Used by the
// policy (`decide`, `requireOpening`, `toNumberResource`) and for the pace of batches.

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
/** The size of the cache: 25 weeks for each of about 400 zones, more than the calls of a day need. */
const MAX_CACHED_WEEKS = 10_000;
/** The cache has one entry for each zone and week. No zone has two transitions within a week. */
const WEEK_MS = 7 * DAY_MS;
/** How far ahead openings are searched, at least: two weeks contain every weekday on both sides of a clock change. */
const HORIZON_MS = 14 * DAY_MS;
/** 1 January 1970 was a Thursday: the day of the week with index 3. */
const FIRST_WEEKDAY = 3;

/** A window in the local time of one zone. */
export interface Opening {
  window: CallWindow;
  /** An IANA zone. */
  zone: string;
}

/**
 * The first instant from `from` on at which a window is open in all zones; see {@link nextCommonOpening}.
 * @param zones IANA zones, at least one; ignored for a window with its own zone
 */
export function nextOpenAt(window: CallWindow, zones: readonly string[], from: number): number | null {
  const places = window.timezone === null ? zones : [window.timezone];
  return nextCommonOpening(
    places.map((zone) => ({ window, zone })),
    from,
  );
}

/**
 * The first instant from `from` on at which all windows are open, each in its zone (epoch milliseconds); `from` without
 * windows. At transitions of the clocks, a skipped hour is never open, and a repeated hour is open both times. The
 * search asks one window after the other for its next opening from `at` on, and moves `at` there, until a whole round
 * leaves `at` where it is.
 * @returns null when the windows have no common instant in the next two weeks
 */
export function nextCommonOpening(openings: readonly Opening[], from: number): number | null {
  const horizon = from + HORIZON_MS;
  let at = from;
  /** How many openings in a row were found to be open at `at`. */
  let agreeing = 0;
  for (let index = 0; agreeing < openings.length; index = (index + 1) % openings.length) {
    const { window, zone } = openings[index]!;
    const openAt = nextOpenIn(window, zone, at, horizon);
    if (openAt === null) return null;
    agreeing = openAt === at ? agreeing + 1 : 1;
    at = openAt;
  }
  return at;
}

/** True if a window is open in all zones at an instant (epoch milliseconds). */
export function isOpenAt(window: CallWindow, zones: readonly string[], at: number): boolean {
  const places = window.timezone === null ? zones : [window.timezone];
  return places.every((zone) => {
    const local = at + offsetPeriodAt(zone, at).offsetMs;
    return nextOpenLocal(window, local) === local;
  });
}

/** The first instant from `from` on at which a window is open in a zone; null if none is found up to `horizon`. */
function nextOpenIn(window: CallWindow, zone: string, from: number, horizon: number): number | null {
  let at = from;
  while (at < horizon) {
    const period = offsetPeriodAt(zone, at);
    const openAt = nextOpenLocal(window, at + period.offsetMs) - period.offsetMs;
    if (openAt < period.until) return openAt;
    at = period.until;
  }
  return null;
}

/** The next opening in local milliseconds, ignoring transitions. A window without days is never open. */
function nextOpenLocal(window: CallWindow, local: number): number {
  const today = Math.floor(local / DAY_MS);
  for (let day = today; day <= today + 7; day += 1) {
    const weekday = (((day + FIRST_WEEKDAY) % 7) + 7) % 7;
    const opensAt = day * DAY_MS + window.startMinute * MINUTE_MS;
    const closesAt = day * DAY_MS + window.endMinute * MINUTE_MS;
    if ((window.days & (1 << weekday)) !== 0 && local < closesAt) return Math.max(local, opensAt);
  }
  return Number.POSITIVE_INFINITY;
}

/** A period in which a zone has a constant offset from UTC. */
interface OffsetPeriod {
  /** Local time minus UTC, in milliseconds. */
  offsetMs: number;
  /** The exclusive end (epoch milliseconds). The next period may have the same offset. */
  until: number;
}

/**
 * The periods of one week in a zone, before and after its transition, such as the start of daylight saving time. In a
 * week without a transition, `before` is the whole week.
 */
interface ZoneWeek {
  before: OffsetPeriod;
  after: OffsetPeriod;
}

/** Weeks by zone and number. Reading an offset takes microseconds, and calling hours read the same weeks repeatedly. */
const weekCache = new LRUCache<string, ZoneWeek>({ max: MAX_CACHED_WEEKS });

/** The period of constant offset around an instant (epoch milliseconds) in an IANA zone. */
function offsetPeriodAt(zone: string, at: number): OffsetPeriod {
  const index = Math.floor(at / WEEK_MS);
  const key = `${zone} ${index}`;
  let week = weekCache.get(key);
  if (!week) weekCache.set(key, (week = readWeek(zone, index)));
  return at < week.before.until ? week.before : week.after;
}

/** The offsets of a zone in one week, before and after the clock change that the week may have. */
function readWeek(zone: string, index: number): ZoneWeek {
  const from = index * WEEK_MS;
  const until = from + WEEK_MS;
  const changesAt = nextTransition(zone, from, until - 1) ?? until;
  return {
    before: { offsetMs: offsetMs(zone, from), until: changesAt },
    after: { offsetMs: offsetMs(zone, until - 1), until },
  };
}
