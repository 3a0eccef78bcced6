import { IANAZone } from 'luxon';

// IANA time zones: their names, offsets and transitions.

/** The most used zones, which `GET /api/timezones` lists first. */
export const COMMON_TIME_ZONES = [
  'America/New_York',
  'America/Chicago',
  'America/Denver',
  'America/Los_Angeles',
  'America/Anchorage',
  'Pacific/Honolulu',
  'Europe/London',
  'Europe/Paris',
  'Europe/Berlin',
  'Asia/Tokyo',
  'Asia/Shanghai',
  'Asia/Hong_Kong',
  'Asia/Singapore',
  'Asia/Dubai',
  'Asia/Kolkata',
  'Australia/Sydney',
  'Australia/Melbourne',
] as const;

/** A zone name such as `Europe/Berlin`; no bare offset such as `+05:30`, which some runtimes accept as a zone. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
/** `UTC+3` and `GMT+3` are ambiguous in their sign; `Etc/GMT+3` is a zone of the IANA database. */
const BARE_OFFSET = /^(?:UTC|GMT)[+-]/i;
const MAX_NAME_CHARACTERS = 64;

/** True for the name of an IANA time zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (name.length > MAX_NAME_CHARACTERS || !NAME.test(name) || BARE_OFFSET.test(name)) return false;
  return IANAZone.isValidZone(name);
}

/** The offset of a zone from UTC at an instant, in milliseconds; positive east of Greenwich. */
export function offsetMs(zone: string, epochMs: number): number {
  const minutes = IANAZone.create(zone).offset(epochMs);
  // Zones are validated on input. A zone that a later runtime does not know must not be treated as UTC.
  if (Number.isNaN(minutes)) throw new Error('a time zone is not known to this runtime');
  return Math.round(minutes * 60_000);
}

/** The local time in a zone at an instant, as the epoch milliseconds at which a clock in UTC shows that local time. */
export function localMsAt(zone: string, epochMs: number): number {
  return epochMs + offsetMs(zone, epochMs);
}

/**
 * The transition of a zone (such as the start of daylight saving time) after `afterMs` and up to `untilMs`; null
 * without one. It is found by halving the span, if the offsets at both ends differ. So the span must not contain two
 * transitions that cancel each other: a span of some weeks is safe in every zone.
 */
export function nextTransition(zone: string, afterMs: number, untilMs: number): number | null {
  const before = offsetMs(zone, afterMs);
  if (offsetMs(zone, untilMs) === before) return null;
  let [low, high] = [afterMs, untilMs];
  while (high - low > 1) {
    const middle = Math.floor((low + high) / 2);
    if (offsetMs(zone, middle) === before) low = middle;
    else high = middle;
  }
  return high;
}

/** All time zones of this runtime, {@link COMMON_TIME_ZONES} first. */
export function timeZones(): string[] {
  const named = new Set<string>(COMMON_TIME_ZONES);
  for (const name of ['UTC', ...Intl.supportedValuesOf('timeZone')]) named.add(name);
  return [...named];
}
