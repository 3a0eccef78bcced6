import { DateTime } from 'luxon';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import type { DayRange } from '#playbook/values/dates/read-date.js';
import { WHOLE_DAY, type TimeRange } from '#playbook/values/times/read-time.js';

type Kind<Name extends PlaybookExpectation['kind']> = Extract<PlaybookExpectation, { kind: Name }>;

/** The days that a question accepts; by default from today on. `today` is midnight in the caller's zone. */
export function dayRange({ earliest, latest }: Kind<'date'>, today: DateTime): DayRange {
  const last = latest ? dayOf(latest, today) : null;
  const first = earliest ? dayOf(earliest, today) : null;
  const isOfThePast = last !== null && last <= today;
  return { earliest: first ?? (isOfThePast ? null : today), latest: last };
}

/** Parses `today+14` or an ISO date. */
function dayOf(bound: string, today: DateTime): DateTime {
  const relative = /^today([+-]\d+)?$/.exec(bound);
  if (relative) return today.plus({ days: Number(relative[1] ?? 0) });
  return DateTime.fromISO(bound, { zone: today.zone });
}

/** The times that a question accepts, in minutes of the day. */
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
