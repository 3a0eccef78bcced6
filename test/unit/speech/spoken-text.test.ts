import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pauseAfterMs, splitSentences } from '#speech/sentences.js';
import { speakableText } from '#speech/speakable/speakable-text.js';
import { toPronounceableWords } from '#language/pronounceable-words.js';

/** As the built-in voice is given it. */
const toSpokenText = (text: string, language = '') => speakableText(text, { language, letters: 'plain' });

describe('what is written, as it is said', () => {
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

  it.each([
    'Come on Jan. 5 at noon.',
    'It is 5 Oak Rd. Apt. 4 now.',
    'Ask Lt. Brown.',
    'We come at 10 a.m. Tuesday, or at 4 p.m. Eastern.',
    'Ask for Gen. Lee, Rev. Green and Gov. Brown.',
    'It is approx. 10 miles to St. Mary, e.g. by bus.',
    'Take No. 5, for J. R. Smith.',
    'Acme Inc. Shoes cost 3.50 now.',
    'The U.S. Army is here.',
  ])('do not end with a short form: %s', (text) => {
    expect(splitSentences(text)).toEqual([text]);
  });

  it.each([
    ['We open at 10 a.m.', 'See you then.'],
    ['It closes at 5 p.m.', 'Please bring your card.'],
    ['You live on Main St.', 'Is that right?'],
    ['The answer is no.', 'We are closed.'],
    ['Your letter is B.', 'It is in the mail.'],
    ['She lives in the U.S.', 'The rest are here.'],
    ['He said "Come in."', 'Then he left.'],
    ['Really?!', 'Yes.'],
    ['Well...', 'I am not sure.'],
    ['We call you at 5 p.m.', '"Yes" is enough.'],
  ])('end with a short form that another sentence follows: %s %s', (first, second) => {
    expect(splitSentences(`${first} ${second}`)).toEqual([first, second]);
  });

  it.each(['Come in.', 'Come in!', '"Come in."', '(Come in?)', 'Wait…'])(
    'are followed by a long pause: %s',
    (piece) => {
      expect(pauseAfterMs(piece)).toBe(220);
    },
  );

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
    ['Søren Weiß', 'soren weiss'],
  ])('%s', (phrase, words) => {
    expect(toPronounceableWords(phrase).join(' ')).toBe(words);
  });
});
