import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPhones } from '#language/letter-sounds.js';
import { cases } from '#test/support/tier.js';

/** The engine's phones, as far as English spelling leads to them. */
const PHONES = new Set(
  (
    'AA AE AH AO AW AY B CH D DH EH ER EY F G HH IH IY JH K L M N NG OW OY ' +
    'P R S SH T TH UH UW V W Y Z ZH'
  ).split(' '),
);

describe('a word that no dictionary has', () => {
  it.each([
    ['jovanka', 'JH OW V AE N K AE'],
    ['bjork', 'B JH AO R K'],
    ['taj', 'T AE JH'],
    ['zane', 'Z EY N'],
    ['yoyo', 'Y OY OW'],
    ['iqbala', 'IH K B AE L AE'],
    ['q', 'K'],
    ['123', ''],
    ["'", ''],
  ])('is sounded out by its letters: %s', (word, phones) => {
    expect(toPhones(word)).toBe(phones);
  });

  it('has sounds that the engine knows, whatever its letters are', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z']{1,20}$/), (word) => {
        const phones = toPhones(word).split(' ').filter(Boolean);
        return phones.every((phone) => PHONES.has(phone)) && (phones.length > 0 || !/[a-z]/.test(word));
      }),
      { numRuns: cases(200, 2_000) },
    );
  });
});
