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

const NOW = at('2026-11-21T12:30');

describe('numbers', () => {
  it.each([
    ['hundred', '100'],
    ['nineteen eighty four', '1984'],
    ['twenty twenty six', '2026'],
    ['half a million', '500000'],
    ['two and a half million', '2500000'],
    ['one point five million', '1500000'],
    ['double five', '55'],
    ['triple one', '111'],
    ['nil', '0'],
    ['a grand', '1000'],
    ['two grand', '2000'],
    ['one and a half grand', '1500'],
    ['two grand five hundred', '2500'],
    ["that's grand, fifty", '50'],
    ['one of my legs hurts', null],
    ['three of my friends would', null],
    ['there are five of us', '5'],
    ['two thumbs up', null],
    ['is ten good', null],
    ['ten is best, right?', null],
    ['ten is the best, so nine', '9'],
    ['six is good', '6'],
    ['a pair', '2'],
    ['half a dozen', '6'],
    ['two dozen', '24'],
    ['three dozen', '36'],
    ['at least five', null],
    ['up to five', null],
    ['under ten', null],
    ['over twenty', null],
    ['not five, six', '6'],
    ['five instead of six', '5'],
    ['3/4', null],
    ['eight of ten', '8'],
    ['eight plus', null],
    ['on a scale of one to ten, eight', '8'],
    ['eight on a scale of one to ten', '8'],
    ['from one to ten I would say eight', '8'],
    ['one second, five', '5'],
    ['one moment... five', '5'],
    ['thousand', '1000'],
    ['one and a half thousand', '1500'],
    ['two hundred and five', '205'],
    ['double oh seven', '7'],
    ['three quarters', 'not possible'],
    ['for four on Friday at seven', '4'],
    ['a table for two at eight pm', '2'],
    ['four at seven, no, five', '5'],
    ['at seven', '7'],
  ])('%s is %s', (text, number) => {
    expect(read(text, { kind: 'number' }, NOW)).toBe(number);
  });

  it.each([
    ['three quarters', '0.75'],
    ['a quarter', '0.25'],
    ['two and a quarter', '2.25'],
    ['one and three quarters', '1.75'],
    ['point five', '0.5'],
    ['two point twenty five', '2.25'],
    ['an hour and a half', '1.5'],
    ['one hour and a half', '1.5'],
    ['3.125', '3.125'],
    ['2,5', '2.5'],
    ['five and a half', '5.5'],
  ])('%s, where a fraction is taken, is %s', (text, number) => {
    expect(read(text, { kind: 'number', whole: false }, NOW)).toBe(number);
  });

  it('are not doubled by being said twice, where that would be too many', () => {
    expect(read('five, five', { kind: 'number', max: 10 }, NOW)).toBe('5');
    expect(read('five five', { kind: 'number', max: 99 }, NOW)).toBe('55');
  });
});

describe('phone numbers', () => {
  it.each([
    ['four one five five five five two thousand', '+14155552000'],
    ['four one five five five five twenty six hundred', '+14155552600'],
    ['plus forty four twenty seven nine four six oh nine five eight', '+442079460958'],
    ['zero zero four four two zero seven nine four six zero nine five eight', '+442079460958'],
    ['four one five five five six sorry five five five two six seven one', '+14155552671'],
    ['four one five five five five, two six seven, no, two six eight one', '+14155552681'],
    ['niner one seven five five five one two three four', '+19175551234'],
    ['my number is four one five five five five two six seven one, area code first', '+14155552671'],
    ['917 555 1234 ext. 12', '+19175551234'],
    ['four one five... four one five five five five two six seven one', 'not possible'],
  ])('%s is %s', (text, number) => {
    expect(read(text, { kind: 'phone_number' }, NOW)).toBe(number);
  });

  it.each([
    ['oh twenty seven nine four six oh nine five eight', '+442079460958'],
    ['oh two oh seven nine four six oh nine five eight', '+442079460958'],
  ])('%s in Britain is %s', (text, number) => {
    expect(read(text, { kind: 'phone_number' }, NOW, 'GB')).toBe(number);
  });
});
