import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import { wordsOf } from '#language/words.js';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue } from '#playbook/values/value.js';

/** A Saturday. */
const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

function read(text: string, kind: PlaybookExpectation['kind'], asked: string) {
  const value = readValue(text, { kind } as PlaybookExpectation, { now: NOW, region: 'US', asked });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

describe('a value that is asked about, or told of something else, is no answer', () => {
  it.each<[string, PlaybookExpectation['kind'], string, string | null]>([
    ['do you have anything at three?', 'time', 'What time suits you?', null],
    ['have you got something around ten', 'time', 'What time suits you?', null],
    ['is there anything free on Monday?', 'date', 'Which day suits you?', null],
    ['could you do three?', 'time', 'What time suits you?', '15:00'],
    ['at three if you have anything', 'time', 'What time suits you?', '15:00'],
    ['every Monday', 'date', 'Which day suits you?', null],
    ['each Tuesday is bad, so Wednesday', 'date', 'Which day suits you?', '2026-11-25'],
    ['my flat is number three', 'number', 'How many guests will there be?', null],
    ['my flat is number three', 'number', 'Which flat is it?', '3'],
    ['the bus is on line five, we are four', 'number', 'How many guests will there be?', '4'],
    ['I paid in two instalments', 'number', 'How much did you pay?', null],
    ['I paid in two installments', 'number', 'What did you pay?', null],
    ['in two instalments', 'number', 'In how many instalments would you like to pay?', '2'],
    ['two hundred dollars in two instalments', 'number', 'How much did you pay?', '200'],
    ['I have no car', 'yes_no', 'Will you come on Monday?', null],
    ['I have no car', 'yes_no', 'Do you have a car?', 'no'],
    ['no, I have no car', 'yes_no', 'Will you come on Monday?', 'no'],
    ['I have no car but yes I will come', 'yes_no', 'Will you come on Monday?', 'yes'],
    ['I have no time', 'yes_no', 'Will you come on Monday?', 'no'],
    ['I have no problem with that', 'yes_no', 'Will you come on Monday?', 'yes'],
    ['ni hao', 'name', 'What is your name?', null],
    ['buenas tardes', 'name', 'What is your name?', null],
    ['me Olga', 'name', 'What is your name?', 'Olga'],
    ['me name is Olga', 'name', 'What is your name?', 'Olga'],
    ['me too', 'name', 'What is your name?', null],
    ['me neither', 'name', 'What is your name?', null],
    ['me as well', 'name', 'What is your name?', null],
  ])('%s, as a %s, to "%s": %s', (text, kind, asked, value) => expect(read(text, kind, asked)).toBe(value));
});

describe('feasts whose day changes', () => {
  it.each([
    ['on Easter Monday', '2027-03-29'],
    ['Good Friday', '2027-03-26'],
    ['Easter Sunday', '2027-03-28'],
    ['Whit Monday', '2027-05-17'],
    ['on Thanksgiving', '2026-11-26'],
    ['Thanksgiving Day', '2026-11-26'],
    ['Thanksgiving 2027', '2027-11-25'],
    ['Ascension Day', '2027-05-06'],
    ['Easter Sunday 2028', '2028-04-16'],
    ['Easter Monday 2038', '2038-04-26'],
    ['that sounds good, Friday works', '2026-11-27'],
    ['in Easter week', null],
    ['the Tuesday after Thanksgiving', null],
  ])('%s is %s', (text, day) => expect(read(text, 'date', 'Which day suits you?')).toBe(day));
});

describe('calls that are not wanted', () => {
  it.each([
    "not today, don't call",
    'no, not now, please do not call me',
    "sorry, not this week, please don't call",
  ])('only now, are no opt-out: %s', (text) => expect(isOptOut(text)).toBe(false));
  it.each(["not today, and don't call me again", "not interested, don't call", "no, don't call me"])(
    'ever, are one: %s',
    (text) => expect(isOptOut(text)).toBe(true),
  );
  it.each(['me no want call', 'please, I no like your calls', 'we no want you calling'])(
    'as those with little English say it, are asked about: %s',
    (text) => {
      expect(isOptOut(text)).toBe(false);
      expect(mayBeOptOut(wordsOf(text))).toBe(true);
    },
  );
});
