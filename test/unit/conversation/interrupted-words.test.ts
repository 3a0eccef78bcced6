import { describe, expect, it } from 'vitest';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Tts } from '#speech/tts.js';
import { listen, say, startTalk } from '#test/support/scripted-talk.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';

const SENTENCE = 'We have a visit on Tuesday at half past nine for you and your daughter.';
const WORDS = SENTENCE.split(' ');
/** A tone a letter, as the emulators of voices have it: long words take long. */
const MS_PER_CHARACTER = 60;

const ends = WORDS.map((_, at) => WORDS.slice(0, at + 1).join(' ').length * MS_PER_CHARACTER);
const wholeMs = ends.at(-1)!;

/** Speaks tones, and tells when each word ends. */
function toneVoice(): Tts {
  return {
    ...createScriptedTts(),
    async *speak({ text, sampleRateHz, onWords }) {
      onWords?.(WORDS.map((word, at) => ({ text: word, endMs: ends[at]! })));
      const samples = (text.length * MS_PER_CHARACTER * sampleRateHz) / 1_000;
      yield new Int16Array(samples).map((_, at) => (at % 20 < 10 ? 5_000 : -5_000));
    },
  };
}

describe.each([
  ['that plays what it gets', false],
  ['that keeps what it is sent', true],
])('an agent who is interrupted on a line %s', (_line, isBuffered) => {
  const moments = Array.from({ length: Math.floor(wholeMs / 100) }, (_, at) => at * 100);

  it.each(moments)('was heard to the word after %d ms', async (afterMs) => {
    const talk = startTalk({
      script: [[say(SENTENCE), listen]],
      isBuffered,
      agent: { tts: toneVoice() },
    });
    await talk.waitUntil(() => talk.states.includes('speaking'));
    await talk.waitUntil(() => talk.line.loudSpan() !== null);
    await talk.wait(afterMs);
    talk.conversation.interrupt();
    await talk.wait(200);
    const [entry] = talk.entries;
    const heardMs = entry ? entry.endMs - entry.startMs : 0;
    const heard = entry?.text ?? '';
    // The words that were over by then, none more and none less.
    const wordsOver = ends.filter((endMs) => endMs <= heardMs).length;
    expect(heard).toBe(WORDS.slice(0, wordsOver).join(' '));
    expect(talk.cut).toEqual([heard]);
    if (entry) expect(Math.abs(heardMs - afterMs)).toBeLessThanOrEqual(200 + 2 * FRAME_MS);
  });
});
