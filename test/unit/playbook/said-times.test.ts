import { DateTime } from 'luxon';
import { describe, expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { readValue } from '#playbook/values/value.js';
import { leastProcessorMs } from '#test/support/processor-time.js';

const at = (local: string) => DateTime.fromISO(local, { zone: 'America/New_York' });

function read(text: string, expectation: PlaybookExpectation, now: DateTime, region: 'US' | 'GB' = 'US') {
  const value = readValue(text, expectation, { now, region });
  return value === NOT_POSSIBLE ? 'not possible' : value;
}

const NOW = at('2026-11-21T12:30');

describe('times of day', () => {
  it.each([
    ['for four on Friday at seven', '07:00'],
    ['at two for six', '14:00'],
    ['a table of four at eight pm', '20:00'],
    ['at two, no, for three', '15:00'],
    ['for three', '15:00'],
    ['twelve midnight', '00:00'],
    ['twelve noon', '12:00'],
    ['twelve at night', '00:00'],
    ['half past midnight', '00:30'],
    ['quarter past noon', '12:15'],
    ['two in the night', '02:00'],
    ['zero nine thirty', '09:30'],
    ['twenty four', null],
    ['24:00', null],
    ['25:00', null],
    ['15h30', '15:30'],
    ['9ish', '09:00'],
    ['from three to four', null],
    ['I have a meeting at three', null],
    ['at three I have a meeting', null],
    ['I have a meeting at three, so four', '16:00'],
    ["I've got another appointment at ten", null],
    ['my appointment is at ten', '10:00'],
    ['I have an appointment at ten', '10:00'],
    ['three to four', null],
    ['three till four', null],
    ['after three', null],
    ['before ten', null],
    ['any time after three', null],
    ['until five', null],
    ['earliest is nine', null],
    ['nine at the earliest', null],
    ['five at the latest', null],
    ['at the latest at five', null],
    ['from nine on', null],
    ['from nine onwards', null],
    ['three or later', null],
    ['in an hour', '13:30'],
    ['in half an hour', '13:00'],
    ['in twenty minutes', '12:50'],
    ['two hours from now', '14:30'],
    ['in two hours', '14:30'],
    ['good morning three please', '15:00'],
    ['good evening, nine please', '09:00'],
    ['good afternoon ten is fine', '10:00'],
    ['this morning ten, no, three in the afternoon', '15:00'],
    ['not in the morning, at three', '15:00'],
    ['not ten in the morning, three in the afternoon', '15:00'],
    ['ten in the morning is bad, four in the afternoon', '16:00'],
    ['november twenty four at three', '15:00'],
    ['november twenty four three pm', '15:00'],
    ['two people at seven', '07:00'],
    ['I have two kids, so four', '16:00'],
    ['give me one second, four', '16:00'],
    ['one moment, four', '16:00'],
    ['one sec... three thirty', '15:30'],
    ['the first one at three', '15:00'],
    ['that one', null],
    ['no one', null],
    ['I want the one at three', '15:00'],
    ['one of them', null],
    ['four thirty instead of three', '16:30'],
    ['four instead of three', '16:00'],
    ['instead of three, four', '16:00'],
    ['three does not work, four does', '16:00'],
    ['three is too early, four', '16:00'],
    ['three is bad, four is good', '16:00'],
    ['three is no good', null],
    ['I am busy at three', null],
    ['anything but three', null],
    ['four, no wait', null],
    ['half past two', '14:30'],
    ['tomorrow at noon', '12:00'],
    ['ten to twelve', '11:50'],
    ['by five', null],
    ['two and a half', null],
    ['a minute to midnight', '23:59'],
    ['five to', null],
    ['seven in the pm', '19:00'],
    ['noonish', '12:00'],
    ['around noon-ish', '12:00'],
    ['fiveish', '17:00'],
    ['say fivish', '17:00'],
    ['five ish', '17:00'],
    ["three o'clock ish", '15:00'],
    ['half past threeish', '15:30'],
    ['three thirtyish', '15:30'],
    ['eightish in the evening', '20:00'],
    ['nineish', '09:00'],
    ['twelvish', '12:00'],
    ['I am Polish', null],
  ])('%s is %s', (text, time) => {
    expect(read(text, { kind: 'time' }, NOW)).toBe(time);
  });
});

it('of an endless talk is read from its end, at once', async () => {
  const text = `${'at three or '.repeat(2_000)} ${'and so on '.repeat(100)} at four`;
  expect(read(text, { kind: 'time' }, NOW)).toBe('16:00');
  expect(await leastProcessorMs(() => read(text, { kind: 'time' }, NOW))).toBeLessThan(1_000);
});
