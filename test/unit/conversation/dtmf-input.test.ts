import { describe, expect, it } from 'vitest';
import { DtmfInput } from '#conversation/hearing/dtmf-input.js';
import type { RecognitionHints } from '#speech/stt.js';

const PHONE: RecognitionHints = { kind: 'phone_number', plan: 'north_american' };
const RATING: RecognitionHints = { kind: 'number', max: 10, isWhole: true };
const ANY_NUMBER: RecognitionHints = { kind: 'number', max: null, isWhole: true };

/** Presses keys one after the other, 300 ms apart; a blank is a pause of 2.5 seconds. */
function entered(keys: string, expectation?: RecognitionHints): string[] {
  const entries: string[] = [];
  const dtmf = new DtmfInput((entry) => void entries.push(entry));
  if (expectation) dtmf.expect(expectation);
  const wait = (forMs: number) => {
    for (let passedMs = 0; passedMs < forMs; passedMs += 20) dtmf.tick();
  };
  for (const key of keys) {
    if (key === ' ') wait(2_500);
    else dtmf.press(key);
    wait(300);
  }
  return entries;
}

describe('keys', () => {
  it.each<[string, string, RecognitionHints | undefined, string[]]>([
    ['each an entry where no number is asked for', '12#', undefined, ['1', '2']],
    ['each an entry at a choice', '21', { kind: 'choice', options: [] }, ['2', '1']],
    ['a number up to #', '42#', ANY_NUMBER, ['42']],
    ['a number up to a pause', '42 7 ', ANY_NUMBER, ['42', '7']],
    ['nothing yet without either', '42', ANY_NUMBER, []],
    ['a number that nothing can follow, at once', '9', RATING, ['9']],
    ['a number that something may follow, with it', '10', RATING, ['10']],
    ['the same without, after the pause', '1 ', RATING, ['1']],
    ['a number begun anew with *', '41*42#', ANY_NUMBER, ['42']],
    ['nothing for # alone', '#', ANY_NUMBER, []],
    ['a phone number when it is whole', '4155552671', PHONE, ['4155552671']],
    ['a phone number with the code of its country', '14155552671', PHONE, ['14155552671']],
    [
      'a phone number of another plan up to #',
      '442071838750#',
      { kind: 'phone_number', plan: 'any' },
      ['442071838750'],
    ],
    ['a whole number whose # comes late, which is nothing more', '9#8', RATING, ['9', '8']],
    ['a number that was said back, entered anew', '43#', { kind: 'yes_no', correction: ANY_NUMBER }, ['43']],
  ])('are %s', (_, keys, expectation, entries) => {
    expect(entered(keys, expectation)).toEqual(entries);
  });

  it('that were half a number are none of the next answer', () => {
    const entries: string[] = [];
    const dtmf = new DtmfInput((entry) => void entries.push(entry));
    dtmf.expect(PHONE);
    dtmf.press('4');
    dtmf.expect({ kind: 'yes_no' });
    for (let tick = 0; tick < 500; tick += 1) dtmf.tick();
    expect(entries).toEqual([]);
    dtmf.press('1');
    expect(entries).toEqual(['1']);
  });

  /** What is entered when a key is pressed, and the talk goes on to another expectation before the next one. */
  function enteredAcross(first: RecognitionHints, next: RecognitionHints): string[] {
    const entries: string[] = [];
    const dtmf = new DtmfInput((entry) => void entries.push(entry));
    dtmf.expect(first);
    dtmf.press('1');
    dtmf.expect(next);
    for (let tick = 0; tick < 500; tick += 1) dtmf.tick();
    return entries;
  }

  it.each<[string, RecognitionHints]>([
    ['with other bounds', { kind: 'number', max: 30, isWhole: true }],
    ['that may correct this one', { ...RATING, correction: RATING }],
  ])('that were half a number are none of the next number, %s', (_, next) => {
    expect(enteredAcross(RATING, next)).toEqual([]);
  });

  it.each<[string, RecognitionHints]>([
    ['asked again', { ...RATING }],
    ['said back', { kind: 'yes_no', correction: RATING }],
  ])('are still some of a number that is %s', (_, next) => {
    expect(enteredAcross(RATING, next)).toEqual(['1']);
  });
});
