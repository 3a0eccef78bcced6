import { describe, expect, it } from 'vitest';
import { wordsOf } from '#speech/aligned-words.js';
import type { SpokenWord, Tts } from '#speech/tts.js';
import { joined, spoken } from '#test/support/telephone-line.js';

const TEXT = 'Hello there. Your appointment is tomorrow at ten. Does that still work for you?';

/**
 * The contract of every {@link Tts}.
 * @param options.knowsVoices false if only the vendor knows its voices, and refuses others
 * @param options.isSteady false if a text does not always take equally long
 */
export function ttsContract(
  name: string,
  open: () => Tts,
  { knowsVoices = true, isSteady = true } = {},
): void {
  const request = { text: TEXT, voice: null, language: 'en-US', sampleRateHz: 8000 as const };

  describe(`${name} as a voice`, () => {
    it('has voices of different names, and a name', () => {
      const { voices, name: own } = open();
      expect(own).not.toBe('');
      expect(voices.length > 0).toBe(knowsVoices);
      expect(new Set(voices).size).toBe(voices.length);
    });

    it('gives audible sound that never clips and starts at once', async () => {
      const sound = await spoken(open(), TEXT);
      const peak = sound.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
      expect(sound.length).toBeGreaterThan(8000);
      expect(peak).toBeGreaterThan(3_000);
      expect(peak).toBeLessThan(32_767);
      expect(sound.findIndex((sample) => Math.abs(sample) > 150)).toBeLessThanOrEqual(0.02 * 8000);
    });

    it.runIf(isSteady)('lasts equally long at both rates', async () => {
      const speaking = open();
      const narrow = await spoken(speaking, TEXT, { sampleRateHz: 8000 });
      const wide = await spoken(speaking, TEXT, { sampleRateHz: 16_000 });
      expect(wide.length / narrow.length).toBeCloseTo(2, 1);
    });

    it('says more for longer', async () => {
      const speaking = open();
      expect((await spoken(speaking, TEXT)).length).toBeGreaterThan(
        (await spoken(speaking, 'Hello.')).length,
      );
    });

    it.runIf(knowsVoices)('takes an unknown voice for its default', async () => {
      const speaking = open();
      const unknown = await spoken(speaking, 'Good morning.', { voice: 'nobody' });
      expect(unknown).toEqual(await spoken(speaking, 'Good morning.', { voice: speaking.voices[0]! }));
    });

    it('is silent about nothing', async () => {
      expect(await spoken(open(), '  ')).toHaveLength(0);
    });

    it('gives sounds that belong to whoever asked', async () => {
      const speaking = open();
      const first = await spoken(speaking, 'Good morning.');
      for await (const piece of speaking.speak({ ...request, text: 'Good morning.' })) piece.fill(0);
      expect(await spoken(speaking, 'Good morning.')).toEqual(first);
    });

    it('says nothing when it is aborted before', async () => {
      const signal = AbortSignal.abort();
      const pieces: Int16Array[] = [];
      for await (const piece of open().speak({ ...request, signal })) pieces.push(piece);
      expect(pieces).toEqual([]);
    });

    it('ends early, without an error, when it is aborted', async () => {
      const speaking = open();
      const whole = await spoken(speaking, TEXT);
      const stop = new AbortController();
      const pieces: Int16Array[] = [];
      for await (const piece of speaking.speak({ ...request, signal: stop.signal })) {
        pieces.push(piece);
        stop.abort();
      }
      expect(joined(pieces).length).toBeLessThan(whole.length);
    });

    it('tells times of words, if it does, for all words from the first on, and none beyond the sound', async () => {
      let words: readonly SpokenWord[] = [];
      const pieces: Int16Array[] = [];
      for await (const piece of open().speak({ ...request, onWords: (told) => (words = told) }))
        pieces.push(piece);
      const ends = words.map(({ endMs }) => endMs);
      expect(ends).toEqual(ends.toSorted((one, other) => one - other));
      expect(words.map(({ text }) => text)).toEqual(wordsOf(TEXT).slice(0, words.length));
      expect(ends.at(-1) ?? 0).toBeLessThanOrEqual(joined(pieces).length / 8 + 1);
    });

    it('serves several at once', async () => {
      const speaking = open();
      const texts = ['Good morning.', 'Good evening.', 'One moment please.'];
      const alone: Int16Array[] = [];
      for (const text of texts) alone.push(await spoken(speaking, text));
      expect(await Promise.all(texts.map((text) => spoken(speaking, text)))).toEqual(alone);
    });
  });
}
