import { expect, it } from 'vitest';
import { SpeechPlayer } from '#conversation/speaking/speech-player.js';
import { FRAME_MS } from '#media/samples/audio.js';
import { withSpeakableText } from '#speech/speakable-voice.js';
import type { Tts } from '#speech/tts.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createScriptedTts } from '#test/support/scripted-tts.js';

/** Every word takes so long, however many letters it has: their share would mislead. */
const WORD_MS = 500;
const TEXT = 'Pay €12.50 appointmentlessly now.';
/** "Pay 12 euros 50 appointmentlessly now." */
const READ_WORDS = 6;

/** A voice that tells when each word of what it was given ends. */
function wordyVoice(): Tts {
  return withSpeakableText({
    ...createScriptedTts(),
    async *speak({ text, onWords }) {
      const words = text.split(' ').map((word, at) => ({ text: word, endMs: (at + 1) * WORD_MS }));
      onWords?.(words);
      yield new Int16Array(words.length * WORD_MS * 8).fill(5_000);
    },
  });
}

it.each([
  [0, ''],
  [499, ''],
  [500, 'Pay'],
  [1_980, 'Pay'],
  [2_000, 'Pay €12.50'],
  [2_480, 'Pay €12.50'],
  [2_500, 'Pay €12.50 appointmentlessly'],
  [READ_WORDS * WORD_MS, TEXT],
])('after %d ms of a sentence whose voice tells its words, "%s" was heard', async (playedMs, heard) => {
  const player = new SpeechPlayer(
    {
      clock: new FakeClock(),
      tts: wordyVoice(),
      voice: null,
      language: 'en-US',
      sampleRateHz: 8000,
      onVoice: () => {},
      onFailure: (error) => {
        throw error;
      },
    },
    new AbortController().signal,
  );
  player.speak([TEXT], true);
  await settle();
  const frames = Math.ceil(playedMs / FRAME_MS);
  const frame = new Int16Array(160);
  const play = (into: Int16Array) => player.fill(into, 0);
  for (let played = 0; played < frames; played += 1) play(frame);
  // What was played of the last frame beyond the moment was not heard.
  expect(player.heardText(frames * FRAME_MS - playedMs)).toBe(heard);
});
