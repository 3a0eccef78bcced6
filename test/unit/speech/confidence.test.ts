import { describe, expect, it } from 'vitest';
import { heardOf, NOT_UNDERSTOOD, type SpokenWord } from '../../../src/speech/pocketsphinx/confidence.js';

const SILENCE_SECONDS = 1;

/** An alignment whose words have this log probability per second, between clear silences. */
function aligned(text: string, perSecond: number): SpokenWord[] {
  const seconds = 0.4;
  const words = text.split(' ');
  const word = (t: string) => ({ t, d: seconds, p: Math.exp(perSecond * seconds) });
  return [{ t: '<sil>', d: SILENCE_SECONDS * words.length, p: 0.95 }, ...words.map(word)];
}

describe('what was understood', () => {
  it.each(['yes', 'no', 'nope', 'uh no', 'no thank you', 'yes please'])(
    'is a plain "%s" also from a voice that fits badly',
    (text) => {
      expect(heardOf(aligned(text, -0.58))).toMatchObject({ text });
      expect(heardOf(aligned(text, -0.62))).toEqual(NOT_UNDERSTOOD);
    },
  );

  it.each(['i do', 'it will', 'we are'])(
    'is "%s" only when it is clear: a mumbled no fits it too',
    (text) => {
      expect(heardOf(aligned(text, -0.42))).toMatchObject({ text });
      expect(heardOf(aligned(text, -0.48))).toEqual(NOT_UNDERSTOOD);
    },
  );

  it.each(['yes i do', 'sounds good', 'morning please'])('is "%s" when it fits well enough', (text) => {
    expect(heardOf(aligned(text, -0.5))).toMatchObject({ text });
    expect(heardOf(aligned(text, -0.55))).toEqual(NOT_UNDERSTOOD);
  });

  it('is nothing when the silences around the words were none', () => {
    const [, ...words] = aligned('yes', -0.3);
    expect(heardOf([{ t: '<sil>', d: 1, p: Math.exp(-0.6) }, ...words])).toEqual(NOT_UNDERSTOOD);
    expect(heardOf([{ t: '<sil>', d: 1, p: 1 }])).toEqual(NOT_UNDERSTOOD);
  });

  it('carries no marks of pronunciations, and more confidence the clearer it is', () => {
    expect(heardOf([{ t: 'no(2)', d: 0.3, p: 0.99 }])).toEqual({ text: 'no', confidence: 1 });
    expect(heardOf(aligned('yes', -0.5)).confidence).toBeLessThan(heardOf(aligned('yes', -0.2)).confidence);
  });
});
