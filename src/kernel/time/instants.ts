import { resolveLocalTime } from './local-time.js';

/**
 * The accepted form of a time: a date, `T` or a blank, a time with or without seconds and fraction, and `Z`, an offset
 * (`+05:30`, `+0530`) or nothing. A plus sign that was not encoded in a query arrives as a blank.
 */
const TIME_PATTERN = new RegExp(
  String.raw`^(\d{4})-(\d{2})-(\d{2})[Tt ]` +
    String.raw`([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:[.,](\d{1,9}))?)?` +
    String.raw`(?:([Zz])|(?: ?([+-])| )([01]\d|2[0-3]):?([0-5]\d))?$`,
);
const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
/** The period after which the Gregorian calendar repeats, and its length. */
const CYCLE_YEARS = 400;
const CYCLE_MS = 146_097 * DAY_MS;

/** The first and the last instant with a year of four digits in UTC: the API cannot format any other. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A parsed time: an instant, or a local time without a zone. */
export type WrittenTime =
  | { kind: 'instant'; epochMs: number }
  /** `localMs`: the epoch milliseconds at which clocks in UTC show this time: for 09:00 those of 09:00Z. */
  | { kind: 'local'; localMs: number };

/** Parses a time in the accepted form; null for any other text, and for a day that the calendar does not have. */
export function readWrittenTime(text: string): WrittenTime | null {
  const parts = TIME_PATTERN.exec(text);
  if (!parts) return null;
  const [, year, month, day, hour, minute, second = '0', fraction = '', utc, sign, hours, minutes] = parts;
  const midnightMs = midnightOf(Number(year), Number(month), Number(day));
  if (midnightMs === null) return null;
  const milliseconds = Number(second) * 1_000 + Number(fraction.slice(0, 3).padEnd(3, '0'));
  const localMs = midnightMs + minutesMs(hour, minute) + milliseconds;
  if (utc) return { kind: 'instant', epochMs: localMs };
  if (hours === undefined) return { kind: 'local', localMs };
  const offsetMs = sign === '-' ? -minutesMs(hours, minutes) : minutesMs(hours, minutes);
  return { kind: 'instant', epochMs: localMs - offsetMs };
}

function minutesMs(hours: string | undefined, minutes: string | undefined): number {
  return (Number(hours) * 60 + Number(minutes)) * MINUTE_MS;
}

/**
 * Parses an instant.
 * @param zone the IANA zone of a text without an offset; see {@link resolveLocalTime}
 * @returns epoch milliseconds, or null when the text is no instant, or lies outside the years 0000 to 9999
 */
export function readInstant(text: string, zone = 'UTC'): number | null {
  const written = readWrittenTime(text);
  if (written === null) return null;
  const epochMs =
    written.kind === 'instant' ? written.epochMs : resolveLocalTime(written.localMs, zone).epochMs;
  return epochMs >= FIRST_MS && epochMs <= LAST_MS ? epochMs : null;
}

/**
 * The start of a day in UTC (epoch milliseconds); null for a day that the calendar does not have. `Date.UTC` alone
 * would take 30 February for 2 March, and the year 26 for 1926. So a day after the end of its month is refused. The
 * computation uses the year from 2000 to 2399 that has the same calendar (2000 + 26 for the year 26, and 2226 for
 * 1826), and then moves the result by the cycles of 400 years between the two.
 */
function midnightOf(year: number, month: number, day: number): number | null {
  const equivalentYear = 2_000 + (year % CYCLE_YEARS);
  const firstMs = Date.UTC(equivalentYear, month - 1);
  const midnightMs = firstMs + (day - 1) * DAY_MS;
  if (month < 1 || month > 12 || day < 1 || midnightMs >= Date.UTC(equivalentYear, month)) return null;
  return midnightMs + ((year - equivalentYear) / CYCLE_YEARS) * CYCLE_MS;
}
