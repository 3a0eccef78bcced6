import { DateTime } from 'luxon';
import { expect, it } from 'vitest';
import type { PlaybookExpectation } from '#playbook/steps/playbook-step.js';
import { readValue } from '#playbook/values/value.js';

const now = DateTime.fromISO('2026-11-21T12:30', { zone: 'America/New_York' });
const DAY = ['Which day suits you?', { kind: 'date' }] as const;
const TIME = ['At what time shall we come?', { kind: 'time' }] as const;
const SCORE = [
  'From zero to ten, how likely are you to recommend us?',
  { kind: 'number', min: 0, max: 10 },
] as const;
const AMOUNT = ['How much can you pay now, in dollars?', { kind: 'number', min: 0, whole: false }] as const;
const WINDOW = [
  'The morning, the afternoon or the evening?',
  {
    kind: 'choice',
    options: ['morning', 'afternoon', 'evening'].map((value) => ({ value, phrases: [] })),
  },
] as const;

it.each([
  [DAY, 'the day after thanksgiving', '2026-11-27'],
  [DAY, 'the day before christmas eve', '2026-12-23'],
  [DAY, 'two days before christmas', '2026-12-23'],
  [DAY, 'a week before christmas', '2026-12-18'],
  [DAY, 'monday or tuesday i don’t mind', null],
  [DAY, 'thursday i don’t care what time', '2026-11-26'],
  [DAY, 'stop calling me on tuesdays', null],
  [DAY, 'stop by on tuesday', '2026-11-24'],
  [TIME, 'in fifteen', null],
  [TIME, 'in the morning at nine', '09:00'],
  [SCORE, 'ate out of ten', null],
  [SCORE, 'out of ten i’d say eight', '8'],
  [SCORE, 'ten out of ten', '10'],
  [AMOUNT, 'half', null],
  [AMOUNT, 'half of it now', null],
  [AMOUNT, 'half a hundred', '50'],
  [WINDOW, 'morning’s best', 'morning'],
  [WINDOW, 'what was the second one', null],
  [WINDOW, 'which is the last one', null],
  [WINDOW, 'the second one', 'afternoon'],
] as const)('%j — %s: %s', ([asked, expectation], text, value) =>
  expect(readValue(text, expectation as unknown as PlaybookExpectation, { now, region: 'US', asked })).toBe(
    value,
  ),
);
