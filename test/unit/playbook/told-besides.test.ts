import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue } from '#playbook/values/value.js';

/** A Saturday. */
const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function read(kind: 'date' | 'time' | 'number', asked: string, text: string) {
  const expectation: PlaybookExpectation = { kind };
  const value = readValue(text, expectation, { now, region: 'US', asked });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

describe('a time of something else', () => {
  it.each([
    'I get off at five',
    'I finish work at five',
    'I usually get up at six',
    'my shift starts at two',
    'we have lunch at twelve',
    'I pick up the kids at three',
    'I called you at nine',
    'I was there at ten',
    'the bus leaves at three',
    'by four',
    'I called three times',
    'there are two of us',
    'I have the hairdresser at three',
    "I'm having my hair done at ten",
    'the news is on at six',
    'three would be too late',
    'I live at number four',
    'flat three',
    'press one',
    'three pills a day',
  ])('answers no question of when to come: %s', (text) =>
    expect(read('time', 'At what time shall we come?', text)).toBeNull(),
  );

  it.each([
    ['I finish work at five, so make it six', '18:00'],
    ['I called at nine, but three is better', '15:00'],
    ['I can start at nine', '09:00'],
    ['I could come at nine', '09:00'],
    ['at five', '17:00'],
    ['I said five', '17:00'],
    ['I would like five', '17:00'],
    ['I have the afternoon free at three', '15:00'],
    ["I'm having my hair done at ten, so eleven", '11:00'],
    ["number four, at four o'clock", '16:00'],
    ['three would be fine', '15:00'],
  ])('leaves what is meant: %s is %s', (text, time) =>
    expect(read('time', 'At what time shall we come?', text)).toBe(time),
  );

  it.each([
    ['What time do you finish work?', 'I get off at five', '17:00'],
    ['When does your train arrive?', 'it leaves at five', '17:00'],
    ['When can you start?', 'I start at nine', '09:00'],
    ['At what time did you call?', 'I called at nine', '09:00'],
    ['By what time do you need it?', 'by four', '16:00'],
    ['When is it needed?', 'by four', '16:00'],
  ])('answers a question of it: %s %s', (asked, text, time) => expect(read('time', asked, text)).toBe(time));
});

describe('a day of something else', () => {
  it.each([
    'I called on Monday',
    'I was there on the third',
    'I work on Mondays',
    'my course starts on Monday',
    'Monday is my bridge day',
    'my birthday is on the third',
    'my son is visiting on Monday',
    'my husband died on Monday',
    'I saw the doctor on Monday',
    "I'm seeing my sister on Monday",
    "today is Saturday, isn't it?",
    'what day is the third?',
    'is the third a Thursday?',
    'on Christmas day? no way',
    'I called three times',
  ])('answers no question of when to come: %s', (text) =>
    expect(read('date', 'Which day suits you?', text)).toBeNull(),
  );

  it.each([
    ['I called on Monday, Tuesday is fine', '2026-11-24'],
    ['I was thinking of Monday', '2026-11-23'],
    ['we were hoping for Monday', '2026-11-23'],
    ['by Friday', '2026-11-27'],
    ['Monday is my day off', '2026-11-23'],
    ['my son can drive me on Monday', '2026-11-23'],
    ["I'm seeing my sister on Monday, Tuesday then", '2026-11-24'],
    ['I have the car on Monday', '2026-11-23'],
    ['I can start on Monday', '2026-11-23'],
  ])('leaves what is meant: %s is %s', (text, day) =>
    expect(read('date', 'Which day suits you?', text)).toBe(day),
  );
});

describe('a number of something else', () => {
  it.each([
    ['How many bedrooms are there?', 'I called three times'],
    ['How many bedrooms are there?', 'there are two of us'],
    ['How many guests will come?', 'I called twice'],
    ['How many guests will come?', "at three o'clock"],
    ['How many guests will come?', 'at seven thirty'],
    ['How many guests will come?', 'two weeks ago'],
    ['How many days will you stay?', 'two weeks'],
    ['How many guests will come?', "I'm eighty two"],
    ['How many guests will come?', 'last year we were ten'],
    ['How many guests will come?', 'one more than last time'],
    ['How much did you pay?', 'I paid it three weeks ago'],
    ['How many days a week is that?', 'three times'],
  ])('%s %s', (asked, text) => expect(read('number', asked, text)).toBeNull());

  it.each([
    ['How many guests will come?', 'there are two of us', '2'],
    ['How many tickets do you need?', 'there are two of us', '2'],
    ['How many guests will come?', 'three adults', '3'],
    ['How many times did you call?', 'I called three times', '3'],
    ['How often do you take it?', 'twice a day', '2'],
    ['How many nights will you stay?', 'two nights', '2'],
    ['How long did you wait?', 'two hours', '2'],
    ['How old is it?', 'ten years', '10'],
    ['How old are you?', "I'm eighty two", '82'],
    ['How many were you last year?', 'we were ten last year', '10'],
    ['How many more do you want?', 'one more', '1'],
    ['How many of them?', 'I called three times, so four', '4'],
    ['On a scale of one to ten, how good was it?', 'a seven', '7'],
  ])('but of what is asked for: %s %s', (asked, text, value) =>
    expect(read('number', asked, text)).toBe(value),
  );
});
