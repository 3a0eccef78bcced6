import fc from 'fast-check';
import { Settings } from 'luxon';
import { describe, expect, it, onTestFinished } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { readInstant, readWrittenTime } from '#kernel/time/instants.js';
import { resolveLocalTime } from '#kernel/time/local-time.js';
import { isTimeZone, COMMON_TIME_ZONES, nextTransition, localMsAt } from '#kernel/time/time-zone.js';
import { cases } from '#test/support/tier.js';

function resolve(text: string, zone: string) {
  const { epochMs, adjusted } = resolveLocalTime(Date.parse(`${text.replace(' ', 'T')}Z`), zone);
  return { at: toInstant(epochMs), adjusted };
}

describe('a local time', () => {
  it.each([
    ['2027-03-14 02:30:00', 'America/New_York', '2027-03-14T07:30:00.000Z', 'gap'],
    ['2027-03-14 02:00:00', 'America/New_York', '2027-03-14T07:00:00.000Z', 'gap'],
    ['2027-03-14 01:59:59', 'America/New_York', '2027-03-14T06:59:59.000Z', null],
    ['2027-03-14 03:00:00', 'America/New_York', '2027-03-14T07:00:00.000Z', null],
    ['2026-11-01 01:30:00', 'America/New_York', '2026-11-01T05:30:00.000Z', 'overlap'],
    ['2026-11-01 00:59:59', 'America/New_York', '2026-11-01T04:59:59.000Z', null],
    ['2026-11-01 02:00:00', 'America/New_York', '2026-11-01T07:00:00.000Z', null],
    ['2026-10-04 02:15:00', 'Australia/Lord_Howe', '2026-10-03T15:45:00.000Z', 'gap'],
    ['2026-04-05 01:45:00', 'Australia/Lord_Howe', '2026-04-04T14:45:00.000Z', 'overlap'],
    ['2026-03-29 00:00:00', 'Asia/Beirut', '2026-03-28T22:00:00.000Z', 'gap'],
    ['2011-12-30 12:00:00', 'Pacific/Apia', '2011-12-30T22:00:00.000Z', 'gap'],
    ['2026-12-25 10:00:00', 'Asia/Kolkata', '2026-12-25T04:30:00.000Z', null],
    ['2026-12-25 10:00:00', 'UTC', '2026-12-25T10:00:00.000Z', null],
  ])('%s in %s is %s (%s)', (text, zone, at, adjusted) => {
    expect(resolve(text, zone)).toEqual({ at, adjusted });
  });

  it('is shown by the clocks at its instant, unless they skip it', () => {
    const minute = fc.integer({ min: Date.UTC(2024, 0, 1) / 60_000, max: Date.UTC(2030, 0, 1) / 60_000 });
    const zone = fc.constantFrom(
      ...COMMON_TIME_ZONES,
      'Australia/Lord_Howe',
      'Africa/Cairo',
      'America/Santiago',
      'Africa/Casablanca',
    );
    fc.assert(
      fc.property(minute, zone, (minutes, name) => {
        const wallMs = minutes * 60_000;
        const { epochMs, adjusted } = resolveLocalTime(wallMs, name);
        const shownMs = localMsAt(name, epochMs);
        if (adjusted === 'gap') expect(shownMs).toBeGreaterThan(wallMs);
        else expect(shownMs).toBe(wallMs);
        // Its first showing: no earlier instant within a day shows the same.
        for (let hours = 1; hours <= 3; hours += 0.5)
          expect(localMsAt(name, epochMs - hours * 3_600_000)).toBeLessThan(shownMs);
      }),
      { numRuns: cases(200, 3_000) },
    );
  });

  it('does not depend on the current date', () => {
    const realNow = Settings.now;
    onTestFinished(() => {
      Settings.now = realNow;
    });
    for (let month = 0; month < 12; month++) {
      // Where luxon asks for the time, to settle what is ambiguous by the season.
      Settings.now = () => Date.UTC(2026, month, 15);
      expect(resolve('2026-11-01 01:30:00', 'America/New_York').at).toBe('2026-11-01T05:30:00.000Z');
      expect(readInstant('2026-11-01 01:30:00', 'America/New_York')).toBe(Date.UTC(2026, 10, 1, 5, 30));
    }
  });
});

describe('a written time', () => {
  it.each([
    ['2026-12-25 10:00:00', { kind: 'local', localMs: Date.UTC(2026, 11, 25, 10) }],
    ['2026-12-25T10:00', { kind: 'local', localMs: Date.UTC(2026, 11, 25, 10) }],
    ['2026-12-25T10:00:00Z', { kind: 'instant', epochMs: Date.UTC(2026, 11, 25, 10) }],
    ['2026-12-25T10:00:00+0530', { kind: 'instant', epochMs: Date.UTC(2026, 11, 25, 4, 30) }],
    ['2028-02-29 00:00:00', { kind: 'local', localMs: Date.UTC(2028, 1, 29) }],
  ])('%s is understood', (text, read) => {
    expect(readWrittenTime(text)).toEqual(read);
  });

  it.each([
    '2026-12-25',
    '2026-W52-5T10:00:00',
    '2026-359T10:00:00',
    '2026-12-25T24:00:00',
    '2027-02-29 10:00:00',
    '2026-02-30T10:00:00Z',
    '2026-13-01 10:00:00',
    '2026-12-25 10:60:00',
    '25/12/2026 10:00',
    'tomorrow',
    '',
    '2026-12-25 10:00:00 UTC',
  ])('%j is refused', (text) => {
    expect(readWrittenTime(text)).toBeNull();
    expect(readInstant(text)).toBeNull();
  });

  it('without an offset is read in the zone, by the rule for local times', () => {
    expect(readInstant('2026-11-01 01:30:00', 'America/New_York')).toBe(Date.UTC(2026, 10, 1, 5, 30));
    expect(readInstant('2027-03-14 02:30:00', 'America/New_York')).toBe(Date.UTC(2027, 2, 14, 7, 30));
  });
});

describe('a time zone', () => {
  it.each([...COMMON_TIME_ZONES, 'UTC', 'Etc/GMT+3', 'America/Argentina/Buenos_Aires', 'Asia/Calcutta'])(
    '%s is known',
    (name) => expect(isTimeZone(name)).toBe(true),
  );

  it.each([
    'local',
    'system',
    'UTC+3',
    'GMT-5',
    '+05:30',
    '',
    'Mars/Olympus',
    'America/',
    'x'.repeat(100),
    ' UTC',
  ])('%j is refused', (name) => expect(isTimeZone(name)).toBe(false));

  it('has known transitions', () => {
    const transition = nextTransition('America/New_York', Date.UTC(2027, 2, 13), Date.UTC(2027, 2, 15));
    expect(transition).toBe(Date.UTC(2027, 2, 14, 7));
    expect(nextTransition('Asia/Kolkata', Date.UTC(2027, 2, 13), Date.UTC(2027, 2, 15))).toBeNull();
  });
});
