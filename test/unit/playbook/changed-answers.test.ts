import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import { interpret, type Reading } from '#playbook/understanding/interpret.js';
import { readMoment } from '#playbook/values/times/read-moment.js';

/** A Saturday, half past twelve. */
const NOW = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });

/** What an utterance means, in short: `answer:2026-11-24`, `leaving:later`. */
function meaning(text: string, reading: Omit<Reading, 'now' | 'region' | 'minConfidence'>): string {
  const found = interpret(
    { text, confidence: 0.9 },
    { now: NOW, region: 'US', minConfidence: 0.3, ...reading },
  );
  if (found.kind === 'answer' || found.kind === 'correction') return `${found.kind}:${found.value}`;
  return found.kind === 'leaving' ? `leaving:${found.reason}` : found.kind;
}

it.each([
  ['no, Wednesday', 'correction:2026-11-25'],
  ['not Tuesday, Wednesday', 'correction:2026-11-25'],
  ['no, I said Wednesday', 'correction:2026-11-25'],
  ['no, Tuesday', 'denied'],
  ['no, four', 'answer:16:00'],
  ['no', 'denied'],
  ['yes, Tuesday', 'confirmed'],
])('while three on Tuesday is said back: %s is %s', (text, expected) => {
  const said = { expectation: { kind: 'time' }, pending: '15:00' } as const;
  expect(meaning(text, { ...said, earlier: { kind: 'date' }, earlierValue: '2026-11-24' })).toBe(expected);
});

it.each([
  ['no, the fifth', 'confirmed'],
  ['no, the sixth', 'answer:2027-01-06'],
  ['no the sixth', 'answer:2027-01-06'],
  ['not the fifth, the sixth', 'answer:2027-01-06'],
  ['no, Wednesday', 'answer:2027-01-06'],
  ['no, a day later', 'answer:2027-01-06'],
  ['the day after', 'answer:2027-01-06'],
  ['a week later', 'answer:2027-01-12'],
  ['I said the sixth', 'answer:2027-01-06'],
  ['I meant the sixth', 'answer:2027-01-06'],
  ['make it the sixth', 'answer:2027-01-06'],
  ['yes but can we do the sixth', 'answer:2027-01-06'],
  ['actually Tuesday is fine', 'confirmed'],
  ['no, the fifth', 'confirmed'],
  ['no', 'denied'],
])('while January 5th, a Tuesday, is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'date' }, pending: '2027-01-05' })).toBe(expected);
});

it.each([
  ['the Tuesday after', 'answer:2026-12-01'],
  ['no, the Tuesday after that', 'answer:2026-12-01'],
  ['a week later', 'answer:2026-12-01'],
  ['the following day', 'answer:2026-11-25'],
  ['one day earlier', 'answer:2026-11-23'],
  ['not Monday, Tuesday', 'confirmed'],
  ['no, Sunday', 'answer:2026-11-22'],
])('while November 24th, a Tuesday, is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'date' }, pending: '2026-11-24' })).toBe(expected);
});

it.each([
  ['half an hour later', 'answer:15:30'],
  ['an hour earlier please', 'answer:14:00'],
  ['an hour later', 'answer:16:00'],
  // Three in the morning is nobody's morning: they mean another time, and are asked which.
  ['no in the morning', 'denied'],
  ['no, in the evening', 'denied'],
  ['no, in the afternoon', 'confirmed'],
  ['no, a m', 'answer:03:00'],
  ['no, three in the morning', 'answer:03:00'],
  ['twenty minutes later', 'answer:15:20'],
  ['no, fifteen minutes later', 'answer:15:15'],
  ['two hours later', 'answer:17:00'],
  ['no, four', 'answer:16:00'],
])('while three in the afternoon is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'time' }, pending: '15:00' })).toBe(expected);
});

it.each([
  ['no, nine', 'answer:21:00'],
  ['no, a m', 'answer:08:00'],
  ['in the morning', 'answer:08:00'],
  ['no, seven', 'answer:19:00'],
  ['no nine thirty', 'answer:21:30'],
])('while eight in the evening is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'time' }, pending: '20:00' })).toBe(expected);
});

it.each([
  ['in the evening', 'answer:20:00'],
  ['no p m', 'answer:20:00'],
  ['no, five', 'answer:17:00'],
])('while eight in the morning is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'time' }, pending: '08:00' })).toBe(expected);
});

it.each([
  ['no, one six', 'answer:16'],
  ['no, sixteen', 'answer:16'],
])('while six is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'number' }, pending: '6' })).toBe(expected);
});

it.each([
  ['no, Joan', 'answer:Joan'],
  ["no it's Joan", 'answer:Joan'],
  ['no, my name is Joan', 'answer:Joan'],
  ['not John, Joan', 'answer:Joan'],
  ['no J O A N', 'answer:Joan'],
  ['no that is wrong', 'denied'],
  ['no problem', 'confirmed'],
])('while John is said back: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'name' }, pending: 'John' })).toBe(expected);
});

it.each([
  ['not Tuesday, Wednesday', 'correction:2026-11-25'],
  ['not Monday, Wednesday', 'correction:2026-11-25'],
  ['Wednesday, not Tuesday', 'correction:2026-11-25'],
  ['no, a day later', 'correction:2026-11-25'],
  ['no, three', 'answer:15:00'],
  ['a day later', 'unclear'],
])('asked for a time after a day: %s is %s', (text, expected) => {
  expect(
    meaning(text, {
      expectation: { kind: 'time' },
      earlier: { kind: 'date' },
      earlierValue: '2026-11-24',
    }),
  ).toBe(expected);
});

it.each([
  ['hold on, Tuesday', 'answer:2026-11-24'],
  ['one second... Tuesday', 'answer:2026-11-24'],
  ['just a second, the third', 'answer:2026-12-03'],
  ['excuse me, Tuesday', 'answer:2026-11-24'],
  ["I'm at work until Friday so Saturday", 'answer:2026-11-28'],
  ["I'm at work on Tuesday, Wednesday is good", 'answer:2026-11-25'],
  ['hold on let me check', 'hold'],
  ['one moment please', 'hold'],
  ['call me back on Tuesday', 'leaving:later'],
  ["I'm driving, call me on Monday at three", 'leaving:later'],
])('asked for a day: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'date' } })).toBe(expected);
});

it.each([
  ['one minute to four', 'answer:15:59'],
  ['wait a minute, four', 'answer:16:00'],
  ['hold on. three thirty', 'answer:15:30'],
  ['call me at three', 'leaving:later'],
])('asked for a time: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'time' } })).toBe(expected);
});

it.each([
  ['you can call me at four one five five five five two six seven one', 'answer:+14155552671'],
  ['call me on four one five five five five two six seven one', 'answer:+14155552671'],
  ['call me back at 415 555 2671', 'answer:+14155552671'],
  ['one moment, four one five five five five two six seven one', 'answer:+14155552671'],
  ['call me back at three', 'leaving:later'],
])('asked for a phone number: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'phone_number' } })).toBe(expected);
});

it.each([
  ['one second, five', 'answer:5'],
  ['one moment', 'hold'],
])('asked for a number: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'number' } })).toBe(expected);
});

it.each([
  ['one second, yes', 'answer:yes'],
  ['hold on. yes', 'answer:yes'],
  ['I guess', 'answer:yes'],
  ['no I would love to', 'unclear'],
  ['not bad', 'unclear'],
  ["can't complain", 'unclear'],
  ["I'm good", 'unclear'],
  ["I'm fine thanks", 'unclear'],
  ["don't you worry I will be there", 'answer:yes'],
  ['never been better', 'unclear'],
  ['I am never late', 'unclear'],
  ['yes hold on', 'hold'],
  ["no, that's all I have", 'answer:no'],
  ["I'm good with that", 'answer:yes'],
])('asked for yes or no: %s is %s', (text, expected) => {
  expect(meaning(text, { expectation: { kind: 'yes_no' } })).toBe(expected);
});

it.each([
  ['hold on, the morning', 'answer:morning'],
  ['the afternoon instead of the morning', 'answer:afternoon'],
  ['instead of the morning the afternoon', 'answer:afternoon'],
  ['morning is bad', 'unclear'],
  ['the morning is bad, afternoon', 'answer:afternoon'],
  ['anything but the morning', 'unclear'],
  ['good morning, the afternoon please', 'answer:afternoon'],
  ["I'm busy in the morning", 'unclear'],
  ["I'm busy in the morning, so afternoon", 'answer:afternoon'],
  ['wait a second, the morning', 'answer:morning'],
  ['not the morning', 'unclear'],
  ['the second one', 'answer:afternoon'],
])('asked to choose: %s is %s', (text, expected) => {
  const options = [
    { value: 'morning', phrases: ['morning'] },
    { value: 'afternoon', phrases: ['afternoon', 'later'] },
  ];
  expect(meaning(text, { expectation: { kind: 'choice', options } })).toBe(expected);
});

it.each([
  ['call me in an hour and a half', '11-21T14:00'],
  ['call me in a couple of hours', '11-21T14:30'],
  ['call me two hours from now', '11-21T14:30'],
  ['call me in one and a half hours', '11-21T14:00'],
  ['call me in 2 hours and 15 minutes', '11-21T14:45'],
  ['call me in two hours and fifteen minutes', '11-21T14:45'],
  ['call me in two hours fifteen minutes', '11-21T14:45'],
  ['call me in two and a half hours', '11-21T15:00'],
  ['call me in 2.5 hours', '11-21T15:00'],
  ['call me in an hour and a quarter', '11-21T13:45'],
  ['call me in an hour and twenty', '11-21T13:50'],
  ['call me in an hour and 45 minutes please', '11-21T14:15'],
  ['call me in about an hour and a half', '11-21T14:00'],
  ['call me in around three quarters of an hour', '11-21T13:15'],
  ['call me in a quarter of an hour', '11-21T12:45'],
  ['call me in a half hour', '11-21T13:00'],
  ['an hour and ten minutes from now would be good', '11-21T13:40'],
  ['call me in three and three quarters hours', '11-21T16:15'],
  ['call me in forty five minutes', '11-21T13:15'],
  ['call me in an hour and two of us will be here', '11-21T13:30'],
  ['call me in a fortnight', '12-05T12:30'],
  ['call me after an hour', '11-21T13:30'],
  ['call me back after thirty minutes', '11-21T13:00'],
  ['ring me after about two hours', '11-21T14:30'],
  ['call me an hour later', '11-21T13:30'],
  ['call me within half an hour', '11-21T13:00'],
  ['call me after two', '11-21T14:00'],
  ['call me after two days', '11-23T12:30'],
  ['call me after three weeks', '12-12T12:30'],
  ["call me on New Year's Day", '01-01T12:30'],
  ['can you call me back in twenty', null],
  ['call me in a second', null],
  ['call me tomorrow at half past two', '11-22T14:30'],
  ['call me after five', '11-21T17:00'],
  ['call me before nine', null],
  ['call me at four one five triple five two six seven one', null],
  ['call me at one oh five', '11-21T13:05'],
  ['call me back on the fifth', '12-05T12:30'],
])('%s: is called at %s', (text, moment) => {
  expect(readMoment(text, NOW)?.toFormat("MM-dd'T'HH:mm") ?? null).toBe(moment);
});

it.each([
  ['18:00', 'no, in the morning', 'answer:06:00'],
  ['09:00', 'no, in the evening', 'answer:21:00'],
  ['09:00', 'no, at night', 'answer:21:00'],
  ['10:00', 'no, in the afternoon', 'denied'],
  ['12:00', 'no, in the morning', 'denied'],
  ['12:00', 'no, in the evening', 'denied'],
  ['14:00', 'no, in the evening', 'denied'],
  ['11:00', 'no, p m', 'answer:23:00'],
])('while %s is said back: %s is %s', (pending, text, expected) => {
  expect(meaning(text, { expectation: { kind: 'time' }, pending })).toBe(expected);
});
