import { DateTime } from 'luxon';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { LATER_TODAY_HOURS } from '#playbook/values/times/read-moment.js';
import { sayDay, sayTime } from '#playbook/values/value.js';

/**
 * Combines the day and time of saved answers; null if both are missing. A time alone means its next occurrence. A day
 * alone means the time of this call, or an hour from now if the day is today.
 */
export function momentOf(day: string | null, time: string | null, now: DateTime): DateTime | null {
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
 * The instant of a local time. A time that occurs twice, when clocks go back, means the first, as everywhere in the
 * service.
 */
export function instantOf(local: DateTime): number {
  const wallMs = local.setZone('utc', { keepLocalTime: true }).toMillis();
  return resolveLocalTime(wallMs, local.zoneName!).epochMs;
}

/** The time in spoken form: "tomorrow at three PM". */
export function sayMoment(moment: DateTime, now: DateTime): string {
  return `${sayWhen(moment, now)} at ${sayTime(moment.toFormat('HH:mm'))}`;
}

function sayWhen(moment: DateTime, now: DateTime): string {
  const days = moment.startOf('day').diff(now.startOf('day'), 'days').days;
  if (days === 0) return 'today';
  return days === 1 ? 'tomorrow' : `on ${sayDay(moment.startOf('day'), now)}`;
}
