import { toInstant } from './clock.js';
import { resolveLocalTime } from './local-time.js';

/**
 * The shapes of an instant in a request: a date, `T` or a blank, a time with or without seconds and fraction, and
 * `Z`, an offset (`+05:30`, `+0530`) or nothing. A plus sign that travelled in a query arrives as a blank.
 */
const DAY = /^(\d{4}-\d{2}-\d{2})[Tt ]/;
const TIME = /^((?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d(?:[.,]\d{1,9})?)?)/;
const OFFSET = /^(?:[Zz]|(?: ?([+-])| )([01]\d|2[0-3]):?([0-5]\d))?$/;

/** The instants that an answer can tell: a year has four digits, in UTC as well. */
const FIRST_MS = Date.parse('0000-01-01T00:00:00.000Z');
const LAST_MS = Date.parse('9999-12-31T23:59:59.999Z');

/** A time as it was written: an instant, or what a clock shows somewhere. */
export type WrittenTime =
  | { kind: 'instant'; epochMs: number }
  /** As epoch milliseconds of the same reading in UTC. */
  | { kind: 'local'; wallMs: number };

/** Reads a time as clients may write it; null when the text is no time that exists in some calendar. */
export function readWrittenTime(text: string): WrittenTime | null {
  const day = DAY.exec(text);
  const time = TIME.exec(text.slice(11));
  const offset = time && OFFSET.exec(text.slice(11 + time[0].length));
  if (!day || !offset) return null;
  const [written, sign = '+', hours, minutes] = offset;
  const suffix = hours === undefined ? written.toUpperCase() : `${sign}${hours}:${minutes}`;
  const epochMs = Date.parse(`${day[1]}T${time[1]!.replace(',', '.')}${suffix || 'Z'}`);
  if (Number.isNaN(epochMs) || !isDay(day[1]!)) return null;
  return suffix === '' ? { kind: 'local', wallMs: epochMs } : { kind: 'instant', epochMs };
}

/**
 * Reads an instant as clients may write it.
 * @param zone the IANA zone of texts that carry no offset; see {@link resolveLocalTime}
 * @returns epoch milliseconds, or null when the text is not an instant that exists
 */
export function readInstant(text: string, zone = 'UTC'): number | null {
  const written = readWrittenTime(text);
  if (written === null) return null;
  const epochMs =
    written.kind === 'instant' ? written.epochMs : resolveLocalTime(written.wallMs, zone).epochMs;
  return epochMs >= FIRST_MS && epochMs <= LAST_MS ? epochMs : null;
}

/** JavaScript takes 30 February for 2 March: only a day that comes back as it was written exists. */
function isDay(day: string): boolean {
  if (Number(day.slice(8)) <= 28) return true;
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return !Number.isNaN(midnight) && toInstant(midnight).startsWith(day);
}
