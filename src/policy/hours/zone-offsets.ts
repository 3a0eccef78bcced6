import { LRUCache } from 'lru-cache';
import { nextTransition, offsetMs } from '#kernel/time/time-zone.js';

/** A stretch of time in which a zone keeps its distance from UTC. */
export interface Stretch {
  /** Local time minus UTC, in milliseconds. */
  offsetMs: number;
  /** The stretch ends before this instant (epoch milliseconds). The next one may have the same offset. */
  until: number;
}

/** Some weeks of every zone there is; far more than a day of calling asks for. */
const MOST_WEEKS = 10_000;
/** The data are read a week at a time; no zone changes its clocks twice within one. */
const WEEK_MS = 7 * 86_400_000;

interface Week {
  before: Stretch;
  after: Stretch;
}

/** Reading the time-zone data costs microseconds, and calling hours ask for the same weeks again and again. */
const weeksOfZones = new LRUCache<string, Week>({ max: MOST_WEEKS });

/** The stretch of constant offset in which an instant lies, in an IANA zone. */
export function stretchAt(zone: string, at: number): Stretch {
  const index = Math.floor(at / WEEK_MS);
  const key = `${zone} ${index}`;
  let week = weeksOfZones.get(key);
  if (!week) weeksOfZones.set(key, (week = readWeek(zone, index)));
  return at < week.before.until ? week.before : week.after;
}

function readWeek(zone: string, index: number): Week {
  const from = index * WEEK_MS;
  const until = from + WEEK_MS;
  const changesAt = nextTransition(zone, from, until - 1) ?? until;
  return {
    before: { offsetMs: offsetMs(zone, from), until: changesAt },
    after: { offsetMs: offsetMs(zone, until - 1), until },
  };
}
