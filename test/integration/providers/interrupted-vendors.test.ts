import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Voices } from '#providers/voices/voices.js';
import type { Tts } from '#speech/tts.js';
import { hummedMs, hummedWords } from '#test/support/emulators/voices/spoken-tone.js';
import { TESTED_VOICES } from '#test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '#test/support/emulators/voices/voice-emulator.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { listen, say, startTalk } from '#test/support/scripted-talk.js';
import { spoken } from '#test/support/telephone-line.js';
import { voicesOf } from '#test/support/voices-rig.js';

const SENTENCE = 'We have a visit on Tuesday at half past nine for you and your daughter.';
const MOMENTS_MS = Array.from({ length: Math.floor(hummedMs(SENTENCE) / 100) }, (_, at) => at * 100);

const telling = Object.entries(TESTED_VOICES).filter(([, { tellsWords }]) => tellsWords);

describe.each(telling)('an agent with a voice of %s who is interrupted', (_name, tested) => {
  let emulator: VoiceEmulator;
  let voices: Voices;
  let tts: Tts;

  beforeAll(async () => {
    emulator = await VoiceEmulator.open(tested.dialect, new FakeClock());
    voices = voicesOf(tested.environment(emulator.url));
    tts = voices.open([tested.choice]);
    // Once over the wire; the talks have the sentence and the vendor's times at hand.
    await spoken(tts, SENTENCE);
  });
  afterAll(async () => {
    await voices.close();
    await emulator.close();
  });

  it.each(MOMENTS_MS)('was heard to the word after %d ms, by the times of the vendor', async (afterMs) => {
    const talk = startTalk({ script: [[say(SENTENCE), listen]], agent: { tts } });
    await talk.waitUntil(() => talk.line.loudSpan() !== null);
    await talk.wait(afterMs);
    talk.conversation.interrupt();
    await talk.wait(200);
    const [entry] = talk.entries;
    const heardMs = entry ? entry.endMs - entry.startMs : 0;
    const over = hummedWords(SENTENCE).filter(({ endMs }) => endMs <= heardMs);
    expect(entry?.text ?? '').toBe(over.map(({ word }) => word).join(' '));
    if (entry) expect(Math.abs(heardMs - afterMs)).toBeLessThanOrEqual(200 + 2 * FRAME_MS);
  });
});
