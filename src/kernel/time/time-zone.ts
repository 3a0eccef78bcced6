import { IANAZone } from 'luxon';

/** The zones that the interface names, in its order (Interface: Scheduled call). */
export const NAMED_TIME_ZONES = [
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

/** A name, or a path of names: no bare offset such as `+05:30`, which some runtimes would take for a zone. */
const NAME = /^[A-Za-z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+){0,2}$/;
/** `UTC+3` and the like mean nothing that is agreed upon; `Etc/GMT+3` does, and is a path. */
const BARE_OFFSET = /^(?:UTC|GMT)[+-]/i;
const LONGEST_NAME = 64;

/** Whether a text names an IANA time zone that this runtime knows. */
export function isTimeZone(name: string): boolean {
  if (name.length > LONGEST_NAME || !NAME.test(name) || BARE_OFFSET.test(name)) return false;
  return IANAZone.isValidZone(name);
}

/** How far the clocks of a zone are ahead of UTC at an instant, in milliseconds. */
export function offsetMs(zone: string, epochMs: number): number {
  const minutes = IANAZone.create(zone).offset(epochMs);
  // Zones are checked where they come in; one that the runtime has since forgotten must not pass for UTC.
  if (Number.isNaN(minutes)) throw new Error('a time zone is not known to this runtime');
  return Math.round(minutes * 60_000);
}

/** What the clocks of a zone show at an instant, as epoch milliseconds of the same reading in UTC. */
export function wallTime(zone: string, epochMs: number): number {
  return epochMs + offsetMs(zone, epochMs);
}

/**
 * The first instant after `afterMs`, and not after `untilMs`, at which the clocks of a zone are set; null when they are
 * not. The span must be shorter than the time between two settings that undo one another (weeks, in every zone).
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

/** Every time zone of this runtime by its usual name, the ones that the interface names first. */
export function timeZones(): string[] {
  const named = new Set<string>(NAMED_TIME_ZONES);
  for (const name of ['UTC', ...Intl.supportedValuesOf('timeZone')]) named.add(name);
  return [...named];
}
