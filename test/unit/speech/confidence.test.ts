import { describe, expect, it } from 'vitest';
import {
  betterTranscript,
  dictationTranscript,
  grammarTranscript,
  NOT_UNDERSTOOD,
  type AlignedWord,
} from '#providers/builtin/pocketsphinx/confidence/confidence.js';

const SILENCE: AlignedWord = { t: '<sil>', d: 1, p: 0.95 };

/** An alignment whose words have this log probability per second, each after a clear silence. */
function aligned(text: string, perSecond: number): AlignedWord[] {
  const seconds = 0.4;
  const words = text.split(' ');
  const word = (t: string) => ({ t, d: seconds, p: Math.exp(perSecond * seconds) });
  return words.flatMap((t) => [SILENCE, word(t)]);
}

describe('what was understood', () => {
  it.each(['yes', 'no', 'nope', 'uh no', 'no thank you', 'yes please'])(
    'is a plain "%s" also from a voice that fits badly',
    (text) => {
      expect(grammarTranscript(aligned(text, -0.58))).toMatchObject({ text });
      expect(grammarTranscript(aligned(text, -0.62))).toEqual(NOT_UNDERSTOOD);
    },
  );

  it.each(['i do', 'it will', 'we are'])(
    'is "%s" only when it is clear: a mumbled no fits it too',
    (text) => {
      expect(grammarTranscript(aligned(text, -0.42))).toMatchObject({ text });
      expect(grammarTranscript(aligned(text, -0.48))).toEqual(NOT_UNDERSTOOD);
    },
  );

  it.each(['yes i do', 'sounds good', 'morning please'])('is "%s" when it fits well enough', (text) => {
    expect(grammarTranscript(aligned(text, -0.5))).toMatchObject({ text });
    expect(grammarTranscript(aligned(text, -0.55))).toEqual(NOT_UNDERSTOOD);
  });

  it('is nothing when the silences around the words were none', () => {
    const [, ...words] = aligned('yes', -0.3);
    expect(grammarTranscript([{ t: '<sil>', d: 1, p: Math.exp(-0.6) }, ...words])).toEqual(NOT_UNDERSTOOD);
    expect(grammarTranscript([{ t: '<sil>', d: 1, p: 1 }])).toEqual(NOT_UNDERSTOOD);
  });

  it('is nothing when a part was said that no word accounts for, however well it passes for silence', () => {
    const answer = aligned('yes i have time', -0.2);
    const pause = (seconds: number) => ({ t: '<sil>', d: seconds, p: 0.99 });
    expect(grammarTranscript([...answer, pause(1.2)])).toMatchObject({ text: 'yes i have time' });
    expect(grammarTranscript([...answer, pause(2.8)])).toEqual(NOT_UNDERSTOOD);
    expect(grammarTranscript([...answer, pause(1.4), pause(1.4)])).toEqual(NOT_UNDERSTOOD);
  });

  it('carries no marks of pronunciations, and more confidence the clearer it is', () => {
    expect(grammarTranscript([{ t: 'no(2)', d: 0.3, p: 0.99 }])).toEqual({ text: 'no', confidence: 1 });
    expect(grammarTranscript(aligned('yes', -0.5)).confidence).toBeLessThan(
      grammarTranscript(aligned('yes', -0.2)).confidence,
    );
  });
});

describe('what was taken down', () => {
  it('is understood when it fits, and carries more confidence the better it does', () => {
    const [poor, good] = [-0.45, -0.35].map((perSecond) =>
      dictationTranscript(aligned('the bill was wrong', perSecond).filter((part) => part !== SILENCE)),
    );
    expect(good!.text).toBe('the bill was wrong');
    expect(poor!.confidence).toBeLessThan(good!.confidence);
    expect(dictationTranscript(aligned('the bill was wrong', -0.6))).toEqual(NOT_UNDERSTOOD);
    const [silence, ...words] = aligned('the bill was wrong', -0.5);
    expect(dictationTranscript([{ ...silence!, p: Math.exp(-2) }, ...words])).toEqual(NOT_UNDERSTOOD);
  });

  it('is more than one word: noise makes one, and the phrases know those that are said alone', () => {
    expect(dictationTranscript(aligned('this', -0.1))).toEqual(NOT_UNDERSTOOD);
  });

  const optOut = { text: 'please do not call me anymore', confidence: 0.9 };
  const part = { text: 'i have please', confidence: 0.95 };
  const taken = { text: 'i have a question about my bill', confidence: 0.5 };

  it('counts more than a phrase found in a part of it', () => {
    expect(betterTranscript(part, taken)).toBe(taken);
    expect(betterTranscript(NOT_UNDERSTOOD, taken)).toBe(taken);
  });

  it('counts less than a phrase that is all of it, unless that is doubtful', () => {
    const mistaken = { text: 'please am not on any fire', confidence: 0.6 };
    expect(betterTranscript(optOut, mistaken)).toBe(optOut);
    expect(betterTranscript({ ...optOut, confidence: 0.5 }, mistaken)).toBe(mistaken);
  });

  it('counts nothing when it was not understood', () => {
    expect(betterTranscript(part, NOT_UNDERSTOOD)).toBe(part);
  });
});
