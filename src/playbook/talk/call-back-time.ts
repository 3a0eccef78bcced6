import { DateTime } from 'luxon';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { LATER_TODAY_HOURS } from '#playbook/values/times/read-call-back-time.js';
import { spokenDay, spokenTime } from '#playbook/values/value.js';

/* The local time of an agreed call-back: read from answers, converted to an instant, and in spoken English. */

/**
 * The local time that saved answers name; null if both are missing. A time alone means its next occurrence. A day alone
 * means the present time of day on that day, or an hour from now if the day is today.
 * @param day `YYYY-MM-DD`
 * @param time `HH:MM`
 * @param now the present time in the zone of the call
 */
export function callBackTimeOf(day: string | null, time: string | null, now: DateTime): DateTime | null {
  if (day === null && time === null) return null;
  const on = day === null ? now : DateTime.fromISO(day, { zone: now.zone });
  if (time === null) {
    const later = now.plus({ hours: LATER_TODAY_HOURS });
    return on.hasSame(now, 'day') ? later : on.set({ hour: now.hour, minute: now.minute });
  }
  const [hour, minute] = time.split(':').map(Number) as [number, number];
  const at = on.startOf('day').set({ hour, minute });
  return day === null && at <= now ? at.plus({ days: 1 }) : at;
}

/**
 * The instant of a local time, in epoch milliseconds. A time that occurs twice, when clocks go back, means its first
 * occurrence ({@link resolveLocalTime}).
 */
export function instantOf(local: DateTime): number {
  const wallMs = local.setZone('utc', { keepLocalTime: true }).toMillis();
  return resolveLocalTime(wallMs, local.zoneName!).epochMs;
}

/** A time in spoken English: "tomorrow at 3 PM". */
export function spokenMoment(moment: DateTime, now: DateTime): string {
  return `${spokenDayFromToday(moment, now)} at ${spokenTime(moment.toFormat('HH:mm'))}`;
}

/** A day in spoken English, by its distance from today: "today", "tomorrow", "on Tuesday, November 24th". */
function spokenDayFromToday(moment: DateTime, now: DateTime): string {
  const days = moment.startOf('day').diff(now.startOf('day'), 'days').days;
  if (days === 0) return 'today';
  return days === 1 ? 'tomorrow' : `on ${spokenDay(moment.startOf('day'), now)}`;
}
