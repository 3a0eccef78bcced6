import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitSentences } from '../../../src/speech/sentences.js';
import { toSpokenText } from '../../../src/speech/flite/spoken-text.js';
import { toWords } from '../../../src/speech/pocketsphinx/grammar/words.js';

describe('what is written, as it is said', () => {
  it.each([
    ['Call +14155552671 now.', 'Call 4 1 5, 5 5 5, 2 6 7 1 now.'],
    ['Call (415) 555-2671 now.', 'Call 4 1 5, 5 5 5, 2 6 7 1 now.'],
    ['On 2026-03-04 at 14:30.', 'On March 4th, 2026 at 2:30 P M.'],
    ['At 10:00 or 10:30 a.m.', "At 10 o'clock or 10:30 A M"],
    ['Claim 471009221, PIN 90210.', 'Claim 4 7 1, 0 0 9, 2 2 1, PIN 9 0 2 1 0.'],
    ['Claim AB471022.', 'Claim A B 4, 7 1 0, 2 2.'],
    ['Claim 4710-0922-14.', 'Claim 4 7 1 0, 0 9 2 2, 1 4.'],
    ['Order AB12-77 is ready.', 'Order A B 1 2, 7 7 is ready.'],
    ['It costs €12.50, not $1,250.00.', 'It costs 12 euros 50, not $1,250.00.'],
    ['Write to a.b@example.com today.', 'Write to a dot b at example dot com today.'],
    ['José said “yes” – really…', 'Jose said yes, really...'],
    ['*Bold* & _brave_', 'Bold and brave'],
    ['★ 日本', ''],
    ['Hello <b>Bob</b>, 3 < 4.', 'Hello Bob, 3 4.'],
  ])('%s', (written, said) => {
    expect(toSpokenText(written)).toBe(said);
  });

  it('is always plain text that the synthesiser can read', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (text) => /^[\x20-\x7e]*$/.test(toSpokenText(text))),
    );
  });
});

describe('the pieces a text is spoken in', () => {
  it('are sentences, with titles and initials left whole', () => {
    expect(splitSentences('Hello. Dr. Smith and J. Doe are here! Fine?')).toEqual([
      'Hello.',
      'Dr. Smith and J. Doe are here!',
      'Fine?',
    ]);
  });

  it('begin with a short clause, so that something is heard soon', () => {
    const text = 'Hello Maria, this is Anna from the dental office, calling about your appointment tomorrow.';
    expect(splitSentences(text)[0]).toBe('Hello Maria, this is Anna from the dental office,');
  });

  it('lose no word, and none is too long', () => {
    const word = fc.stringMatching(/^[A-Za-z]{1,12}[,.!?]?$/);
    fc.assert(
      fc.property(fc.array(word, { maxLength: 120 }), (words) => {
        const text = words.join(' ');
        const pieces = splitSentences(text);
        expect(pieces.join(' ')).toBe(text);
        expect(Math.max(0, ...pieces.map((piece) => piece.length))).toBeLessThanOrEqual(200);
      }),
    );
  });
});

describe('the words of a phrase', () => {
  it.each([
    ['10:30 A.M.', 'ten thirty a m'],
    ['Room 42-B', 'room forty two b'],
    ["I can't!", "i can't"],
    ['300 units, 05', 'three hundred units oh five'],
    ['Zoë & Co.', 'zoe and co'],
    ['★', ''],
  ])('%s', (phrase, words) => {
    expect(toWords(phrase).join(' ')).toBe(words);
  });
});
