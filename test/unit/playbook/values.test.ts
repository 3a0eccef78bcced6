import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readMoment } from '#playbook/values/times/read-moment.js';
import { readValue, sayValue } from '#playbook/values/value.js';

/** A Saturday, a little after noon in New York, when it is already evening in Berlin. */
const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function read(text: string, expectation: PlaybookExpectation, region: 'US' | 'DE' | undefined = 'US') {
  const value = readValue(text, expectation, { now: NOW, region });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

describe('days', () => {
  it.each([
    ['today', '2026-11-21'],
    ['Tomorrow.', '2026-11-22'],
    ['tomorrow, the twenty second', '2026-11-22'],
    ['the day after tomorrow', '2026-11-23'],
    ['um, Tuesday', '2026-11-24'],
    ['on Tuesday please', '2026-11-24'],
    ['Tuesdays are good', '2026-11-24'],
    ['this Tuesday', '2026-11-24'],
    ['next Tuesday', '2026-11-24'],
    ['next Sunday', '2026-11-29'],
    ['Sunday', '2026-11-22'],
    ['Saturday', '2026-11-28'],
    ['this Saturday', '2026-11-21'],
    ['Tuesday next week', '2026-11-24'],
    ['Tuesday week', '2026-12-01'],
    ['a week from Tuesday', '2026-12-01'],
    ['a week on Monday', '2026-11-30'],
    ['two weeks from today', '2026-12-05'],
    ['in two weeks', '2026-12-05'],
    ['in a week', '2026-11-28'],
    ['in three days', '2026-11-24'],
    ['in a month', '2026-12-21'],
    ['ten days from now', '2026-12-01'],
    ['November twenty fourth', '2026-11-24'],
    ['November 24', '2026-11-24'],
    ['Nov. 24th, 2026', '2026-11-24'],
    ['the 24th of November', '2026-11-24'],
    ['the twenty-fourth of november twenty twenty seven', '2027-11-24'],
    ['24 December', '2026-12-24'],
    ['January fifth', '2027-01-05'],
    ['March the 3rd', '2027-03-03'],
    ['May 1', '2027-05-01'],
    ['the twenty fourth', '2026-11-24'],
    ['the third', '2026-12-03'],
    ['the 31st', '2026-12-31'],
    ['Tuesday the 24th', '2026-11-24'],
    ['Tuesday, November 24th', '2026-11-24'],
    ['Wednesday the second', '2026-12-02'],
    ['2026-12-01', '2026-12-01'],
    ['12/24/2026', '2026-12-24'],
    ['24.12.2026', '2026-12-24'],
    ['Monday, no, Wednesday', '2026-11-25'],
    ['not Monday, Wednesday', '2026-11-25'],
    ['Wednesday, not Monday', '2026-11-25'],
    ['I can do anything except Friday, so Thursday', '2026-11-26'],
    ['Tuesday, sorry, I mean Thursday', '2026-11-26'],
    ['Tuesday the 25th', null],
    ['Monday or Tuesday', null],
    ['not on Monday', null],
    ['next week', null],
    ['the first one', null],
    ['I have no idea', null],
    ['yesterday', 'not possible'],
    ['November 3rd 2020', 'not possible'],
    ['February 30th', null],
  ])('%s is %s', (text, day) => {
    expect(read(text, { kind: 'date' })).toBe(day);
  });

  it('are those of the past where the question asks for such', () => {
    const birthday: PlaybookExpectation = { kind: 'date', latest: 'today' };
    expect(read('March first nineteen eighty', birthday)).toBe('1980-03-01');
    expect(read('the 4th of July 1985', birthday)).toBe('1985-07-04');
    expect(read('may fifth two thousand and six', birthday)).toBe('2006-05-05');
    expect(read('december first twenty oh three', birthday)).toBe('2003-12-01');
    expect(read('Tuesday', birthday)).toBe('2026-11-17');
    expect(read('last friday', birthday)).toBe('2026-11-20');
    expect(read('three days ago', birthday)).toBe('2026-11-18');
    expect(read('tomorrow', birthday)).toBe('not possible');
  });

  it('keep to their limits', () => {
    const soon: PlaybookExpectation = { kind: 'date', earliest: 'today+2', latest: '2026-12-05' };
    expect(read('tomorrow', soon)).toBe('not possible');
    expect(read('Monday', soon)).toBe('2026-11-23');
    expect(read('December fifth', soon)).toBe('2026-12-05');
    expect(read('December sixth', soon)).toBe('not possible');
  });

  it('are counted in the zone of the call', () => {
    const late = DateTime.fromISO('2026-11-21T23:30', { zone: 'America/New_York' }).setZone('Europe/Berlin');
    expect(readValue('tomorrow', { kind: 'date' }, { now: late, region: 'DE' })).toBe('2026-11-23');
  });
});

describe('times', () => {
  it.each([
    ['three', '15:00'],
    ['eight', '08:00'],
    ['At nine please.', '09:00'],
    ['three thirty', '15:30'],
    ['3:30', '15:30'],
    ['3:05', '15:05'],
    ['three oh five', '15:05'],
    ['half past three', '15:30'],
    ['half three', '15:30'],
    ['quarter to four', '15:45'],
    ['a quarter past nine', '09:15'],
    ['ten past three', '15:10'],
    ['twenty five minutes to eleven', '10:35'],
    ['five of two', '13:55'],
    ["two o'clock", '14:00'],
    ["two o'clock in the afternoon", '14:00'],
    ['nine in the morning', '09:00'],
    ['seven in the evening', '19:00'],
    ['eight at night', '20:00'],
    ['3 p.m.', '15:00'],
    ['3pm', '15:00'],
    ['three p m', '15:00'],
    ['ten AM', '10:00'],
    ['twelve thirty', '12:30'],
    ['12 am', '00:00'],
    ['12:15 pm', '12:15'],
    ['noon', '12:00'],
    ['midnight', '00:00'],
    ['15:30', '15:30'],
    ['fifteen thirty', '15:30'],
    ['seventeen hundred', '17:00'],
    ['1530', '15:30'],
    ['08:00', '08:00'],
    ['three, no, four', '16:00'],
    ['not three, four', '16:00'],
    ['around five I think', '17:00'],
    ['three or four', null],
    ['in the morning', null],
    ['no idea', null],
  ])('%s is %s', (text, time) => {
    expect(read(text, { kind: 'time' })).toBe(time);
  });

  it('keep to their limits, which also tell morning from evening', () => {
    const evening: PlaybookExpectation = { kind: 'time', earliest: '17:00', latest: '23:00' };
    expect(read('eight', evening)).toBe('20:00');
    expect(read('eight in the morning', evening)).toBe('not possible');
    expect(read('four', evening)).toBe('not possible');
  });
});

describe('numbers', () => {
  it.each([
    ['seven', '7'],
    ['twenty-four', '24'],
    ['I would say nine', '9'],
    ['nine out of ten', '9'],
    ['9/10', '9'],
    ['a hundred', '100'],
    ['two hundred and five', '205'],
    ['one thousand two hundred', '1200'],
    ['fifteen hundred', '1500'],
    ['two thousand and six', '2006'],
    ['1,200', '1200'],
    ['42', '42'],
    ['four two', '42'],
    ['three million', '3000000'],
    ['zero', '0'],
    ['none', '0'],
    ['minus five', '-5'],
    ['a couple', '2'],
    ['a dozen', '12'],
    ['seven, sorry, eight', '8'],
    ['um seven', '7'],
    ['seven or eight', null],
    ['that one', null],
    ['no one', null],
    ['nothing in particular', null],
    ['two and a half', 'not possible'],
    // A word that every object of the language has.
    ['five constructor', '5'],
    ['constructor', null],
  ])('%s is %s', (text, number) => {
    expect(read(text, { kind: 'number' })).toBe(number);
  });

  it('may have a fraction, and keep to their limits', () => {
    const weight: PlaybookExpectation = { kind: 'number', whole: false, min: 1, max: 100 };
    expect(read('two and a half', weight)).toBe('2.5');
    expect(read('three point one four', weight)).toBe('3.14');
    expect(read('72.5', weight)).toBe('72.5');
    expect(read('zero', weight)).toBe('not possible');
    expect(read('two hundred', weight)).toBe('not possible');
  });
});

describe('phone numbers', () => {
  it.each([
    ['four one five five five five two six seven one', '+14155552671'],
    ['(415) 555-2671', '+14155552671'],
    ['my number is 415 555 2671', '+14155552671'],
    ['plus one four one five five five five two six seven one', '+14155552671'],
    ['+44 20 7946 0958', '+442079460958'],
    ['four one five, triple five, two six seven one', '+14155552671'],
    ['eight hundred five five five oh one double nine', '+18005550199'],
    ['four one five five five five twenty six seventy one', '+14155552671'],
    ['four one five um five five five uh two six seven one', '+14155552671'],
    ['four one five five five five two six seven two, sorry, seven one', '+14155552671'],
    ['five five five no four one five five five five two six seven one', '+14155552671'],
    ['five five five', 'not possible'],
    ['I do not have one', null],
    ['no', null],
  ])('%s is %s', (text, number) => {
    expect(read(text, { kind: 'phone_number' })).toBe(number);
  });

  it('are bare digits where no country is known', () => {
    const read = (text: string) => readValue(text, { kind: 'phone_number' }, { now: NOW, region: undefined });
    expect(read('five five five oh one nine nine')).toBe('5550199');
  });
});

describe('names', () => {
  it.each([
    ['Ada Lovelace', 'Ada Lovelace'],
    ['my name is ada lovelace', 'Ada Lovelace'],
    ["It's Ada.", 'Ada'],
    ['this is Mary Johnson speaking', 'Mary Johnson'],
    ['yes um Robert please', 'Robert'],
    ["Sinéad O'Connor", "Sinéad O'Connor"],
    ['a d a', 'Ada'],
    ['you can call me Bob', 'Bob'],
    ['yes', null],
    ['no thanks', null],
    ['why do you want to know', null],
    ['five', null],
    ['well that is a long story about my name', null],
  ])('%s is %s', (text, name) => {
    expect(read(text, { kind: 'name' })).toBe(name);
  });
});

describe('when somebody wants to be called', () => {
  it.each([
    ['call me back tomorrow at three', '2026-11-22T15:00'],
    ['call me on Monday at half past nine', '2026-11-23T09:30'],
    ['call me in half an hour', '2026-11-21T13:00'],
    ['call me back in twenty minutes', '2026-11-21T12:50'],
    ['call me in two hours', '2026-11-21T14:30'],
    ['call me back in an hour', '2026-11-21T13:30'],
    ['call me tomorrow morning', '2026-11-22T10:00'],
    ['call me this afternoon', '2026-11-21T15:00'],
    ['call me tomorrow', '2026-11-22T12:30'],
    ['call me at nine', '2026-11-22T09:00'],
    // At noon, what has passed this morning is meant for this evening, as far as people are called then.
    ['call me after seven', '2026-11-21T19:00'],
    ['call me at eight', '2026-11-21T20:00'],
    ['call me around half past eight', '2026-11-21T20:30'],
    ['call me at eight in the morning', '2026-11-22T08:00'],
    ['call me at seven a.m.', '2026-11-22T07:00'],
    ['call me at ten', '2026-11-22T10:00'],
    ['call me in two weeks', '2026-12-05T12:30'],
    ['call me in five constructor', null],
    ['call me back, constructor', null],
    ['call me back later', null],
    // Today in the future, and what has passed as it was said: somebody has to be told.
    ['call me back today', '2026-11-21T13:30'],
    ['call me today at three', '2026-11-21T15:00'],
    ['call me today at eight', '2026-11-21T20:00'],
    ['call me today at eight in the morning', '2026-11-21T08:00'],
    ['call me today at ten', '2026-11-21T10:00'],
    ['call me today at ten in the evening', '2026-11-21T22:00'],
    ['call me today at noon', '2026-11-21T12:00'],
    ['call me on Saturday at ten', '2026-11-28T10:00'],
    ['call me back yesterday at ten', null],
    ['I am driving', null],
  ])('%s: %s', (text, moment) => {
    expect(readMoment(text, NOW)?.toFormat("yyyy-MM-dd'T'HH:mm") ?? null).toBe(moment);
  });
});

it.each<[PlaybookExpectation, string, string]>([
  [{ kind: 'date' }, '2026-11-24', 'Tuesday, November 24th'],
  [{ kind: 'date' }, '2026-12-01', 'Tuesday, December 1st'],
  [{ kind: 'date' }, '2026-12-11', 'Friday, December 11th'],
  [{ kind: 'date' }, '1980-03-02', 'Sunday, March 2nd, 1980'],
  [{ kind: 'time' }, '15:30', '3:30 PM'],
  [{ kind: 'time' }, '09:00', '9 AM'],
  [{ kind: 'time' }, '12:00', 'noon'],
  [{ kind: 'time' }, '00:00', 'midnight'],
  [{ kind: 'time' }, '12:15', '12:15 PM'],
  [{ kind: 'number' }, '42', '42'],
])('a value of %j, %s, is said as %s', (expectation, value, said) => {
  expect(sayValue(value, expectation, { now: NOW, region: 'US' })).toBe(said);
});
