import { Cron } from 'croner';
import fc from 'fast-check';
import { Settings } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { nextTransition, localMsAt } from '#kernel/time/time-zone.js';
import { Recurrence } from '#schedules/recurrence/recurrence.js';
import { CLOCK_CHANGE_EXPRESSIONS } from '#test/support/clock-change-expressions.js';
import { cases, rows } from '#test/support/tier.js';

const HOUR_MS = 3_600_000;
const NEW_YORK = 'America/New_York';

/** What is due after an instant and until another, as instants. */
function due(expression: string, zone: string, from: string, until: string): string[] {
  const recurrence = new Recurrence(expression, zone);
  const instants: string[] = [];
  let at: number | null = Date.parse(from);
  while ((at = recurrence.next(at)) !== null && at <= Date.parse(until)) instants.push(toInstant(at));
  return instants;
}

/** The local readings of instants, `HH:MM`. */
function readings(instants: readonly string[], zone: string): string[] {
  return instants.map((at) => toInstant(localMsAt(zone, Date.parse(at))).slice(11, 16));
}

const spring = (expression: string) =>
  due(expression, NEW_YORK, '2027-03-14T04:59:59Z', '2027-03-15T03:59:59Z').map((at) => at.slice(11, 16));
const autumn = (expression: string) =>
  due(expression, NEW_YORK, '2026-11-01T03:59:59Z', '2026-11-02T04:59:59Z').map((at) => at.slice(11, 16));

describe('where clocks skip an hour', () => {
  it.each([
    ['30 2 * * *', ['07:30']],
    ['0 2 * * *', ['07:00']],
    ['30 1-3 * * *', ['06:30', '07:30']],
    ['*/15 2 * * *', ['07:00', '07:15', '07:30', '07:45']],
    ['0,30 2-3 * * *', ['07:00', '07:30']],
    ['15 2,3 * * *', ['07:15']],
    ['45 2 * * *', ['07:45']],
    ['0 3 * * *', ['07:00']],
    ['10 2-3 * * *', ['07:10']],
  ])('%s is due at %j', (expression, instants) => {
    expect(spring(expression)).toEqual(instants);
  });

  it('is due the same, also when asked within the gap', () => {
    expect(due('30 2 * * *', NEW_YORK, '2027-03-14T07:10:00Z', '2027-03-14T12:00:00Z')).toEqual([
      '2027-03-14T07:30:00.000Z',
    ]);
    expect(due('*/15 2 * * *', NEW_YORK, '2027-03-14T07:15:00Z', '2027-03-14T12:00:00Z')).toEqual([
      '2027-03-14T07:30:00.000Z',
      '2027-03-14T07:45:00.000Z',
    ]);
  });

  it('goes on by local readings', () => {
    const from = '2027-03-14T04:59:59Z';
    const until = '2027-03-14T11:00:00Z';
    expect(readings(due('0 */2 * * *', NEW_YORK, from, until), NEW_YORK)).toEqual([
      '00:00',
      '03:00',
      '04:00',
      '06:00',
    ]);
    expect(readings(due('*/30 * * * *', NEW_YORK, from, '2027-03-14T07:00:00Z'), NEW_YORK)).toEqual([
      '00:00',
      '00:30',
      '01:00',
      '01:30',
      '03:00',
    ]);
  });

  it('is due later in the day where midnight is skipped, and after half an hour where only that is', () => {
    const beirut = due('0 0 * * *', 'Asia/Beirut', '2026-03-28T12:00:00Z', '2026-03-29T12:00:00Z');
    expect(readings(beirut, 'Asia/Beirut')).toEqual(['01:00']);
    const lordHowe = due('15 2 * * *', 'Australia/Lord_Howe', '2026-10-03T12:00:00Z', '2026-10-04T06:00:00Z');
    expect(readings(lordHowe, 'Australia/Lord_Howe')).toEqual(['02:45']);
  });
});

describe('where clocks skip a whole day', () => {
  // Samoa went from Thursday, 29 December 2011 to Saturday.
  it.each([
    ['0 9 * * *', ['29 09:00', '31 09:00']],
    ['30 */12 * * SAT', ['31 00:30', '31 12:30']],
    ['0 * * * SUN', ['01 00:00', '01 01:00']],
  ])('%s is due at %j', (expression, expected) => {
    const instants = due(expression, 'Pacific/Apia', '2011-12-29T10:59:59Z', '2011-12-31T11:00:00Z');
    const shown = instants.map((at) => toInstant(localMsAt('Pacific/Apia', Date.parse(at))));
    expect(shown.map((local) => local.slice(8, 16).replace('T', ' '))).toEqual(expected);
  });

  it('is due at its first hour, also when asked days before', () => {
    const instants = due('0 * * * SUN', 'Pacific/Apia', '2011-12-28T00:00:00Z', '2011-12-31T11:00:00Z');
    expect(instants).toEqual(['2011-12-31T10:00:00.000Z', '2011-12-31T11:00:00.000Z']);
  });
});

describe('where clocks show an hour twice', () => {
  it.each([
    ['30 1 * * *', ['05:30']],
    ['*/15 1 * * *', ['05:00', '05:15', '05:30', '05:45']],
    ['0 1-2 * * *', ['05:00', '07:00']],
  ])('%s is due at %j', (expression, instants) => {
    expect(autumn(expression)).toEqual(instants);
  });

  it('is not due again, also when asked between the two', () => {
    const from = '2026-11-01T06:10:00Z';
    expect(due('30 1 * * *', NEW_YORK, from, '2026-11-02T06:29:59Z')).toEqual([]);
  });

  it('is due both times where elapsed time rules', () => {
    expect(autumn('0 * * * *').slice(0, 4)).toEqual(['04:00', '05:00', '06:00', '07:00']);
    expect(autumn('0 */1 * * *')).toHaveLength(25);
    expect(spring('0 * * * *')).toHaveLength(23);
    // 0-23 names hours: each is due once.
    expect(autumn('0 0-23 * * *')).toHaveLength(24);
  });

  it('is due both times also where the hour before midnight comes twice and the day is the only one', () => {
    // Cairo goes back from midnight to eleven at the end of Thursday, 29 October 2026.
    const instants = due('15 * 29 10 *', 'Africa/Cairo', '2026-10-29T20:20:00Z', '2026-11-01T00:00:00Z');
    expect(instants).toEqual(['2026-10-29T21:15:00.000Z']);
    expect(readings(instants, 'Africa/Cairo')).toEqual(['23:15']);
  });
});

describe('daily times over two years', () => {
  const zones = [NEW_YORK, 'Europe/London', 'Australia/Sydney', 'America/Santiago', 'Asia/Kolkata'];
  const times = ['0 0', '30 0', '30 1', '0 2', '30 2', '15 3', '0 12', '59 23'];

  it.each(zones)(
    'in %s are due each day, once',
    (zone) => {
      for (const time of times) {
        const recurrence = new Recurrence(`${time} * * *`, zone);
        let at = Date.UTC(2026, 0, 1, 12);
        let day = Math.floor(localMsAt(zone, at) / 86_400_000);
        for (let count = 0; count < 730; count++) {
          at = recurrence.next(at)!;
          const today = Math.floor(localMsAt(zone, at) / 86_400_000);
          // The first one may still be on the day of asking.
          if (count > 0) expect(today, `${time} ${toInstant(at)}`).toBe(day + 1);
          day = today;
        }
      }
    },
    30_000,
  );
});

describe('what is due', () => {
  it('is the same in whatever month the clock of the process shows', () => {
    const realNow = Settings.now;
    onTestFinished(() => {
      Settings.now = realNow;
    });
    const stories = Array.from({ length: 12 }, (_, month) => {
      // Where luxon asks for the time, to settle what is ambiguous by the season.
      Settings.now = () => Date.UTC(2026, month, 15);
      return [spring('*/30 1-3 * * *'), autumn('30 1 * * *'), autumn('0 * * * *')];
    });
    for (const story of stories) expect(story).toEqual(stories[0]);
  });
});

describe('the clocks of the world', () => {
  const expressions = [
    ...CLOCK_CHANGE_EXPRESSIONS,
    '* * * * *',
    '15 3 * * SUN',
    '0 0,12 * * SAT-SUN',
    '0 9 L * *',
  ];
  /** A zone, and a day near which its clocks are set. */
  const transitions: [string, string][] = [
    [NEW_YORK, '2027-03-14'],
    [NEW_YORK, '2026-11-01'],
    ['Europe/London', '2027-03-28'],
    ['Europe/London', '2026-10-25'],
    ['Australia/Sydney', '2026-10-04'],
    ['Australia/Sydney', '2027-04-04'],
    ['Australia/Lord_Howe', '2026-10-04'],
    ['Australia/Lord_Howe', '2027-04-04'],
    ['Africa/Cairo', '2027-04-30'],
    ['Africa/Cairo', '2026-10-30'],
    ['America/Santiago', '2026-09-06'],
    ['America/Santiago', '2027-04-04'],
    ['Asia/Beirut', '2026-03-29'],
    ['Asia/Beirut', '2026-10-25'],
  ];

  it.each(rows(3, transitions))(
    'in %s around %s: the same, however often it is asked',
    (zone, day) => {
      const midnight = Date.parse(`${day}T00:00:00Z`);
      const setMs = nextTransition(zone, midnight - 30 * HOUR_MS, midnight + 30 * HOUR_MS);
      expect(setMs, 'the clocks are set then').not.toBeNull();
      const [from, until] = [setMs! - 4 * HOUR_MS, setMs! + 4 * HOUR_MS];
      for (const expression of expressions) {
        const whole = new Recurrence(expression, zone);
        const uninterrupted: number[] = [];
        for (let at = whole.next(from)!; at <= until; at = whole.next(at)!) uninterrupted.push(at);

        // A scheduler that starts anew every five minutes and knows nothing but what time it is.
        const restarted: number[] = [];
        const anew = new Recurrence(expression, zone);
        for (let now = from; now < until; now += 300_000) {
          let at = anew.next(now)!;
          while (at <= Math.min(now + 300_000, until)) {
            restarted.push(at);
            at = anew.next(at)!;
          }
        }
        expect(restarted, expression).toEqual(uninterrupted);
      }
    },
    60_000,
  );
});

describe('a second opinion', () => {
  /** Fields in which both agree on what is meant. */
  const minute = fc.oneof(
    fc.constantFrom('*', '*/5', '*/7', '0,30'),
    fc.integer({ min: 0, max: 59 }).map(String),
  );
  const hour = fc.oneof(
    fc.constantFrom('*', '*/2', '9-17', '0,12'),
    fc.integer({ min: 0, max: 23 }).map(String),
  );
  const dayOfMonth = fc.constantFrom('*', '*', '1', '15', '31', '1-7', 'L');
  const month = fc.constantFrom('*', '*', '2', '1,7', 'JUN-AUG');
  const dayOfWeek = fc.constantFrom('*', '*', 'MON-FRI', '0', 'SAT,SUN', '5L', '1#2');

  it('agrees in UTC, where clocks are never set', () => {
    const fields = fc.tuple(minute, hour, dayOfMonth, month, dayOfWeek);
    const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2029, 0, 1) });
    fc.assert(
      fc.property(fields, instant, ([mi, ho, dom, mo, dow], after) => {
        // A month that has no such day never comes.
        fc.pre(!(dom === '31' && mo === '2' && dow === '*'));
        const expression = [mi, ho, dom, mo, dow].join(' ');
        const other = new Cron(expression, { timezone: 'UTC', paused: true });
        const ours = new Recurrence(expression, 'UTC').take(3, after);
        const theirs: number[] = [];
        for (let at: Date | null = new Date(after); theirs.length < 3;) {
          at = other.nextRun(at);
          theirs.push(at!.getTime());
        }
        expect(ours.map(toInstant), expression).toEqual(theirs.map(toInstant));
      }),
      { numRuns: cases(100, 500) },
    );
  });
});
