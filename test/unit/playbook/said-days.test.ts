import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue } from '#playbook/values/value.js';

const at = (local: string) => DateTime.fromISO(local, { zone: 'America/New_York' });

function read(text: string, expectation: PlaybookExpectation, now: DateTime, region: 'US' | 'GB' = 'US') {
  const value = readValue(text, expectation, { now, region });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

describe('days as they are said on a Saturday, 21 November 2026', () => {
  it.each([
    ['in a fortnight', '2026-12-05'],
    ['a fortnight from now', '2026-12-05'],
    ['a fortnight today', '2026-12-05'],
    ['two weeks today', '2026-12-05'],
    ['a week today', '2026-11-28'],
    ['today week', '2026-11-28'],
    ['a week tomorrow', '2026-11-29'],
    ['tomorrow week', '2026-11-29'],
    ['a fortnight on Tuesday', '2026-12-08'],
    ['Tuesday fortnight', '2026-12-08'],
    ['in a couple of days', '2026-11-23'],
    ['in a couple of weeks', '2026-12-05'],
    ['Christmas', '2026-12-25'],
    ['Christmas day', '2026-12-25'],
    ['Christmas Eve', '2026-12-24'],
    ["New Year's Eve", '2026-12-31'],
    ["New Year's Day", '2027-01-01'],
    ['the third of this month', 'not possible'],
    ['the first Monday in December', '2026-12-07'],
    ['the first Monday of December', '2026-12-07'],
    ['the last Friday in November', '2026-11-27'],
    ['the second Tuesday of next month', '2026-12-08'],
    ['january two thousand twenty seven', null],
    ['11/24', '2026-11-24'],
    ['11/24/26', '2026-11-24'],
    ['24/11', '2026-11-24'],
    ['the Tuesday after next', '2026-12-01'],
    ['Tuesday after next', '2026-12-01'],
    ['anything but Monday', null],
    ['any day but Monday', null],
    ['Monday does not work, Tuesday does', '2026-11-24'],
    ["Monday doesn't work but Tuesday would", '2026-11-24'],
    ["I'm busy Monday", null],
    ["I'm busy on Monday, so Tuesday", '2026-11-24'],
    ['instead of Monday, Tuesday', '2026-11-24'],
    ['Tuesday instead of Monday', '2026-11-24'],
    ['before Friday', null],
    ['after Friday', null],
    ['any time before the fifth', null],
    ['after the twenty fifth', null],
    ['from Monday on', null],
    ['sometime after Tuesday', null],
    ['I was there last Friday, so next Friday', '2026-11-27'],
    ['I called yesterday, Monday is fine', '2026-11-23'],
    ['my second choice would be Monday', '2026-11-23'],
    ['wait a second, Monday', '2026-11-23'],
    ['one second. Monday', '2026-11-23'],
    ['give me a second... the third', '2026-12-03'],
    ['just a second the fifth', '2026-12-05'],
    ['today is bad, tomorrow', '2026-11-22'],
    ["today isn't good, tomorrow is", '2026-11-22'],
    ['no not tomorrow the day after', '2026-11-23'],
    ['tomorrow or the day after', null],
    ['in a week or so', null],
    ['the week after next on Tuesday', '2026-12-01'],
    ['Tuesday the week after next', '2026-12-01'],
    ['Tuesday after Thanksgiving', null],
    ['this evening', '2026-11-21'],
    ['this afternoon', '2026-11-21'],
    ['this morning', '2026-11-21'],
    ['the third may work', '2026-12-03'],
    ['January fifth, no, sixth', '2027-01-06'],
    ['the fifth of January, no, the sixth', '2027-01-06'],
    ['five or six December', null],
    ['Monday, no wait', null],
    ['tues', '2026-11-24'],
    ['Tue', '2026-11-24'],
    ['Thurs', '2026-11-26'],
    ['december twenty twenty six', null],
    // Further ones that must stay as they are.
    ['the twenty third', '2026-11-23'],
    ['next Friday', '2026-11-27'],
    ['the 24th of next month', '2026-12-24'],
    ['next month on the 24th', '2026-12-24'],
    ['what about the week of the fifth', null],
    ['two Fridays from now', null],
    ['first thing Tuesday', '2026-11-24'],
    ['first of all, Monday', '2026-11-23'],
    ['the first available', null],
    ["I can't do Monday or Tuesday", null],
    ['Monday is no problem', '2026-11-23'],
    ["I don't mind, Tuesday", '2026-11-24'],
    ['why not Tuesday', '2026-11-24'],
  ])('%s is %s', (text, day) => {
    expect(read(text, { kind: 'date' }, at('2026-11-21T12:30'))).toBe(day);
  });
});

it.each([
  ['today, Tuesday', '2026-11-24T09:00', '2026-11-24'],
  ['tomorrow, Wednesday', '2026-11-24T09:00', '2026-11-25'],
  ['Wednesday, tomorrow', '2026-11-24T09:00', '2026-11-25'],
  ['in a year', '2028-02-27T12:00', '2029-02-27'],
  ['in two years', '2028-02-27T12:00', '2030-02-27'],
  ['next week Friday', '2026-11-24T09:00', '2026-12-04'],
  ['next week on Friday', '2026-11-24T09:00', '2026-12-04'],
  ['Tuesday', '2026-11-24T09:00', '2026-12-01'],
  ['this Tuesday', '2026-11-24T09:00', '2026-11-24'],
  ['the twenty ninth', '2028-02-27T12:00', '2028-02-29'],
  ['in three days', '2028-02-27T12:00', '2028-03-01'],
  ['the first', '2026-12-30T18:00', '2027-01-01'],
  ['the twenty ninth', '2026-12-30T18:00', '2027-01-29'],
  ['next Friday', '2026-12-30T18:00', '2027-01-08'],
  ['in a month', '2027-01-31T12:00', '2027-02-28'],
  ['the thirtieth', '2027-01-31T12:00', '2027-03-30'],
  ['tomorrow', '2027-03-13T23:30', '2027-03-14'],
  ['in two days', '2027-03-13T23:30', '2027-03-15'],
  ['February twenty ninth', '2026-12-30T18:00', null],
])('%s, said on %s, is %s', (text, now, day) => {
  expect(read(text, { kind: 'date' }, at(now))).toBe(day);
});

it.each([
  ['the last Friday of the month', '2026-11-21T12:30', '2026-11-27'],
  ['last Friday of the month please', '2026-11-21T12:30', '2026-11-27'],
  ['the last Friday in the month', '2026-11-28T12:30', '2026-12-25'],
  ['first Monday of the month', '2026-11-21T12:30', '2026-12-07'],
  ['last Friday', '2026-11-21T12:30', 'not possible'],
])('%s, said on %s, is %s where it is to come', (text, now, day) => {
  expect(read(text, { kind: 'date', earliest: 'today' }, at(now))).toBe(day);
});

it('of a month that has gone by, such a day is in the last one that had it', () => {
  const was = (text: string) => read(text, { kind: 'date', latest: 'today' }, at('2026-11-21T12:30'));
  expect(was('the last Friday of the month')).toBe('2026-10-30');
  expect(was('the first Monday of the month')).toBe('2026-11-02');
});

it.each([
  ['march first eighty four', '1984-03-01'],
  ['March 1st, 84', '1984-03-01'],
  ["march first '84", '1984-03-01'],
  ['july fourth nineteen hundred', '1900-07-04'],
  ['july fourth nineteen hundred and five', '1905-07-04'],
  ['july 4 1776', '1776-07-04'],
  ['3/4/80', '1980-03-04'],
  ['may nineteen eighty four', null],
  ['june twenty ten', null],
  ['last month on the third', '2026-10-03'],
  ['march first nineteen eighty four', '1984-03-01'],
  ['december twenty five nineteen ninety nine', '1999-12-25'],
])('a birthday, %s, is %s', (text, day) => {
  expect(read(text, { kind: 'date', latest: 'today' }, at('2026-11-21T12:30'))).toBe(day);
});

it.each([
  ['5/12', 'US', '2027-05-12'],
  ['5/12', 'GB', '2026-12-05'],
  ['24/12', 'US', '2026-12-24'],
  ['12/24', 'GB', '2026-12-24'],
] as const)('%s is written in %s for %s', (text, region, day) => {
  expect(read(text, { kind: 'date' }, at('2026-11-21T12:30'), region)).toBe(day);
});

it.each([
  ['2027-02-20T12:30', 'the 29th of February', '2028-02-29'],
  ['2028-02-20T12:30', 'the twenty ninth', '2028-02-29'],
  ['2027-02-20T12:30', 'the twenty ninth', '2027-03-29'],
  ['2027-02-20T12:30', 'February thirtieth', null],
  ['2026-12-30T12:30', 'in three days', '2027-01-02'],
  ['2026-12-30T12:30', 'the second', '2027-01-02'],
  ['2026-12-30T12:30', 'next week Monday', '2027-01-04'],
  ['2026-01-31T12:30', 'in a month', '2026-02-28'],
  ['2026-11-27T12:30', 'Friday', '2026-12-04'],
  ['2026-11-27T12:30', 'this Friday', '2026-11-27'],
])('at the edges of months and years, on %s: %s is %s', (now, text, expected) => {
  expect(read(text, { kind: 'date' }, at(now))).toBe(expected);
});
