import { describe, expect, it } from 'vitest';
import { isOpenAt, nextOpenAt } from '#policy/hours/calling-hours.js';
import { callWindowField, toCallWindowOut, type CallWindow } from '#policy/hours/call-window.js';
import { walkToCallingTime } from './slow-oracle.js';

const EVERY_DAY = 127;
const at = (instant: string) => Date.parse(instant);
const window = (startMinute: number, endMinute: number, days = EVERY_DAY): CallWindow => ({
  startMinute,
  endMinute,
  days,
  timezone: null,
});

describe('when the clocks change', () => {
  it.each([
    // New York, 14 March 2027: there is no 02:00 to 03:00.
    [
      'opens in the missing hour',
      150,
      240,
      'America/New_York',
      '2027-03-14T06:00:00Z',
      '2027-03-14T07:00:00Z',
    ],
    [
      'is only in the missing hour',
      130,
      170,
      'America/New_York',
      '2027-03-14T06:00:00Z',
      '2027-03-15T06:10:00Z',
    ],
    // New York, 1 November 2026: 01:00 to 02:00 comes twice.
    [
      'opens in the repeated hour',
      90,
      110,
      'America/New_York',
      '2026-11-01T05:00:00Z',
      '2026-11-01T05:30:00Z',
    ],
    ['opens again in it', 90, 110, 'America/New_York', '2026-11-01T05:50:00Z', '2026-11-01T06:30:00Z'],
    // Lord Howe, 4 October 2026: by half an hour.
    [
      'moves by half an hour',
      540,
      600,
      'Australia/Lord_Howe',
      '2026-10-03T12:00:00Z',
      '2026-10-03T22:00:00Z',
    ],
    // Samoa left out 30 December 2011 altogether.
    ['on a day that never was', 540, 600, 'Pacific/Apia', '2011-12-29T20:00:00Z', '2011-12-30T19:00:00Z'],
  ])('a window that %s', (_name, start, end, zone, from, opensAt) => {
    const hours = window(start, end);

    expect(nextOpenAt(hours, [zone], at(from))).toBe(at(opensAt));
    expect(walkToCallingTime([hours], [zone], at(from))).toBe(at(opensAt));
  });
});

describe('several zones', () => {
  it('are all open at the instant found, and not a millisecond before', () => {
    const hours = window(540, 1200);
    const zones = ['America/New_York', 'America/Los_Angeles', 'Pacific/Honolulu'];
    const opensAt = nextOpenAt(hours, zones, at('2026-11-25T02:00:00Z'))!;

    // Nine o'clock in Honolulu.
    expect(opensAt).toBe(at('2026-11-25T19:00:00Z'));
    expect(isOpenAt(hours, zones, opensAt)).toBe(true);
    expect(isOpenAt(hours, zones, opensAt - 1)).toBe(false);
  });

  it('without a common opening give null', () => {
    expect(
      nextOpenAt(window(540, 600), ['Europe/Berlin', 'Asia/Tokyo'], at('2026-11-25T00:00:00Z')),
    ).toBeNull();
  });

  it('are ignored for a window with its own zone', () => {
    const hours = { ...window(540, 600), timezone: 'Asia/Tokyo' };

    expect(nextOpenAt(hours, ['Europe/Berlin'], at('2026-11-25T00:00:00Z'))).toBe(at('2026-11-25T00:00:00Z'));
  });
});

describe('a call window in a request', () => {
  it('is parsed and formatted', () => {
    const given = { start: '09:00', end: '24:00', timezone: 'America/New_York', days: ['mon', 'FRI'] };
    const read = callWindowField.parse(given);

    expect(read).toEqual({ startMinute: 540, endMinute: 1440, days: 0b10001, timezone: 'America/New_York' });
    expect(toCallWindowOut(read)).toEqual({ ...given, days: ['MON', 'FRI'] });
    expect(callWindowField.parse({ start: '09:00', end: '20:00' }).days).toBe(EVERY_DAY);
  });

  it.each([
    [{ start: '9:00', end: '20:00' }, 'start'],
    [{ start: '09:00', end: '25:00' }, 'end'],
    [{ start: '09:00' }, 'end'],
    [{ start: '20:00', end: '09:00' }, 'end'],
    [{ start: '09:00', end: '09:00' }, 'end'],
    [{ start: '09:00', end: '20:00', timezone: 'Mars/Olympus' }, 'timezone'],
    [{ start: '09:00', end: '20:00', timezone: 'local' }, 'timezone'],
    [{ start: '09:00', end: '20:00', timezone: 'UTC+3' }, 'timezone'],
    [{ start: '09:00', end: '20:00', days: [] }, 'days'],
    [{ start: '09:00', end: '20:00', days: ['MON', 'FUN'] }, 'days.1'],
  ])('%j is refused by its field %s', (given, field) => {
    const { error } = callWindowField.safeParse(given);

    expect(error?.issues.map((issue) => issue.path.join('.'))).toContain(field);
  });
});
