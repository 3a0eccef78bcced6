import { LRUCache } from 'lru-cache';
import { IANAZone } from 'luxon';

/** A stretch of time in which a zone keeps its distance from UTC. */
export interface Stretch {
  /** Local time minus UTC, in milliseconds. */
  offsetMs: number;
  /** The stretch ends before this instant (epoch milliseconds). The next one may have the same offset. */
  until: number;
}

const MINUTE_MS = 60_000;
/** Some weeks of every zone there is; far more than a day of calling asks for. */
const MOST_WEEKS = 10_000;
/** So much of a zone is looked at together; no zone changes its clocks twice within it. */
const WEEK_MS = 7 * 24 * 60 * MINUTE_MS;

interface Week {
  before: Stretch;
  after: Stretch;
}

/**
 * What was asked of the time-zone data, kept: an answer of the data costs microseconds, and calling hours ask for the
 * same weeks of the same zones again and again. It only remembers what is so anyway.
 */
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
  const data = IANAZone.create(zone);
  const from = index * WEEK_MS;
  const until = from + WEEK_MS;
  const first = data.offset(from);
  const last = data.offset(until - 1);
  if (Number.isNaN(first)) throw new Error(`${zone} is not a time zone`);
  const changesAt = first === last ? until : changeBetween(data, from, until, first);
  return {
    before: { offsetMs: first * MINUTE_MS, until: changesAt },
    after: { offsetMs: last * MINUTE_MS, until },
  };
}

/** The first instant of the new offset; clocks change on whole minutes. */
function changeBetween(data: IANAZone, from: number, until: number, first: number): number {
  let before = from / MINUTE_MS;
  let after = until / MINUTE_MS;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (data.offset(middle * MINUTE_MS) === first) before = middle;
    else after = middle;
  }
  return after * MINUTE_MS;
}
