import { DateTime } from 'luxon';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import type { DayRange } from '#playbook/values/dates/read-date.js';
import { WHOLE_DAY, type TimeRange } from '#playbook/values/times/read-time.js';

/* Turns the limits of a question, as a playbook writes them, into days and minutes. */

type Kind<Name extends PlaybookExpectation['kind']> = Extract<PlaybookExpectation, { kind: Name }>;

/**
 * The days that a question accepts: from `earliest` to `latest`. Without `earliest`, they begin today; but if `latest`
 * is today or in the past, as for a date of birth, they have no beginning.
 * @param today midnight in the caller's zone
 */
export function dayRange({ earliest, latest }: Kind<'date'>, today: DateTime): DayRange {
  const last = latest ? dayOf(latest, today) : null;
  const first = earliest ? dayOf(earliest, today) : null;
  const isOfThePast = last !== null && last <= today;
  return { earliest: first ?? (isOfThePast ? null : today), latest: last };
}

/** The day of a bound such as `today+14` or `2026-12-31`. */
function dayOf(bound: string, today: DateTime): DateTime {
  const relative = /^today([+-]\d+)?$/.exec(bound);
  if (relative) return today.plus({ days: Number(relative[1] ?? 0) });
  return DateTime.fromISO(bound, { zone: today.zone });
}

/** The times that a question accepts, in minutes of the day; without limits the whole day. */
export function timeRange({ earliest, latest }: Kind<'time'>): TimeRange {
  return {
    earliest: earliest ? minuteOf(earliest) : WHOLE_DAY.earliest,
    latest: latest ? minuteOf(latest) : WHOLE_DAY.latest,
  };
}

/** The minute of the day of `HH:MM`. */
export function minuteOf(time: string): number {
  const [hour, minute] = time.split(':').map(Number);
  return hour! * 60 + minute!;
}
