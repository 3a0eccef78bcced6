import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readInstant } from '#kernel/time/instants.js';
import { cases } from '#test/support/tier.js';

const at = (text: string, zone?: string) => {
  const epochMs = readInstant(text, zone);
  return epochMs === null ? null : new Date(epochMs).toISOString();
};

describe('an instant in a request', () => {
  it.each([
    ['2026-12-01T15:00:00Z', '2026-12-01T15:00:00.000Z'],
    ['2026-12-01T15:00:00+05:30', '2026-12-01T09:30:00.000Z'],
    ['2026-12-01T15:00:00-0800', '2026-12-01T23:00:00.000Z'],
    ['2026-12-01 15:00', '2026-12-01T15:00:00.000Z'],
    ['2026-12-01t15:00:00.5z', '2026-12-01T15:00:00.500Z'],
    ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
    ['2026-12-31T23:59:59,999999999-00:30', '2027-01-01T00:29:59.999Z'],
    // A plus sign in a query arrives as a blank.
    ['2026-12-01T15:00:00 05:30', '2026-12-01T09:30:00.000Z'],
  ])('%s is %s', (text, instant) => {
    expect(at(text)).toBe(instant);
  });

  it('is read in the zone given when it has no offset', () => {
    expect(at('2026-12-01 15:00:00', 'America/New_York')).toBe('2026-12-01T20:00:00.000Z');
  });

  it.each([
    '',
    'tomorrow',
    '2026-12-01',
    '2026-02-29T00:00:00Z',
    '2026-04-31T00:00:00+05:30',
    '2026-04-31T00:00:00',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-01-00T00:00:00Z',
    '2026-12-01T24:00:00Z',
    '2026-W49-2T15:00:00Z',
    '2026-335T15:00:00Z',
    '2026-12-01T15:000530',
    '2026-12-01T15:00:00+99:99',
    ' 2026-12-01T15:00:00Z',
    '2026-12-01T15:00:00Z ',
    // In UTC another year, of five digits, or one before the first.
    '9999-12-31T23:30:00-01:00',
    '0000-01-01T00:30:00+01:00',
  ])('%j is none', (text) => {
    expect(at(text)).toBeNull();
  });

  it('is of a day that exists, in any year of four digits', () => {
    const twoDigits = fc.nat({ max: 33 }).map((number) => String(number).padStart(2, '0'));
    const days = fc.tuple(fc.nat({ max: 9_999 }), twoDigits, twoDigits);
    fc.assert(
      fc.property(days, ([year, month, day]) => {
        const text = `${String(year).padStart(4, '0')}-${month}-${day}T12:34:56.789Z`;
        const byDate = new Date(text);
        // JavaScript takes the days that are missing at the end of a month for those of the next.
        const exists = !Number.isNaN(byDate.getTime()) && byDate.getUTCDate() === Number(day);
        expect(at(text)).toBe(exists ? text : null);
      }),
      { numRuns: cases(300, 5_000) },
    );
  });
});
