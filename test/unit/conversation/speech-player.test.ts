import { describe, expect, it } from 'vitest';
import { SpeechPlayer } from '#conversation/speaking/speech-player.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { Tts } from '#speech/tts.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createScriptedTts, toneMs } from '#test/support/scripted-tts.js';

const FIRST = 'The first sentence has seven words here.';
const SECOND = 'And the second one has a few more than that.';
/** Between two sentences. */
const PAUSE_MS = 220;

/** @param voice null for one that takes 50 ms for each letter */
async function speaking(text: string, voice: Tts | null = null) {
  const player = new SpeechPlayer(
    {
      clock: new FakeClock(),
      tts: voice ?? createScriptedTts(),
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
  player.say(text, true);
  await settle();
  const tick = (frame: Int16Array, silentMs = 0) => player.fill(frame, silentMs);
  return {
    player,
    tick,
    async play(forMs: number): Promise<void> {
      for (let playedMs = 0; playedMs < forMs; playedMs += FRAME_MS) tick(new Int16Array(160));
      await settle();
    },
  };
}

describe('going on after a pause', () => {
  it('begins before the word that was cut, in the sentence before when its end was not heard', async () => {
    const { player, play } = await speaking(`${FIRST} ${SECOND}`);
    await play(toneMs(FIRST) + 300);
    player.rewind(300 + 100);
    // The last word of the first sentence is said again, and all of the second.
    const againMs = player.remainingMs - PAUSE_MS - toneMs(SECOND);
    expect(againMs).toBeGreaterThanOrEqual(100);
    expect(againMs).toBeLessThanOrEqual(100 + 420);
    expect(player.heardText()).toBe('The first sentence has seven words');
    await play(player.remainingMs + 300);
    expect(player.isDone).toBe(true);
    expect(player.heardText()).toBe(`${FIRST} ${SECOND}`);
  });

  it('goes back over several sentences when they are short, and says again all that was not heard', async () => {
    const { player, play } = await speaking('Well. Hi. Yes. And the fourth one is longer.');
    const shortMs = toneMs('Well.') + toneMs('Hi.') + toneMs('Yes.') + 3 * PAUSE_MS;
    for (let played = 0; played < shortMs + 100; played += 20) await play(20);
    // The end of "Hi." was not heard.
    player.rewind(100 + PAUSE_MS + toneMs('Yes.') + PAUSE_MS + 100);
    expect(player.heardText()).toBe('Well.');
    const againMs =
      toneMs('Hi.') + PAUSE_MS + toneMs('Yes.') + PAUSE_MS + toneMs('And the fourth one is longer.');
    expect(player.remainingMs).toBe(againMs);
    for (let passed = 0; passed < 10; passed += 1) await play(300);
    expect(player.isDone).toBe(true);
    expect(player.heardText()).toBe('Well. Hi. Yes. And the fourth one is longer.');
  });

  it('stays in the sentence that plays when only the pause before it was not heard', async () => {
    const { player, play } = await speaking(`${FIRST} ${SECOND}`);
    await play(toneMs(FIRST) + 300);
    player.rewind(200);
    expect(player.remainingMs).toBe(toneMs(SECOND));
  });
});

describe('the pause between two sentences', () => {
  it.each([
    [0, 220],
    [60, 160],
    [220, 0],
    [5_000, 0],
  ])('lacks the %d ms that the second one came too late, and is %d ms then', async (silentMs, leftMs) => {
    const { player, play, tick } = await speaking(FIRST);
    await play(toneMs(FIRST));
    expect(player.isDone).toBe(true);
    player.say(SECOND, true);
    await settle();
    const frame = new Int16Array(160);
    let pausedMs = 0;
    while (tick(frame, silentMs) > 0 && frame.every((sample) => sample === 0)) pausedMs += 20;
    expect(pausedMs).toBe(leftMs);
  });
});

it('no pause follows a sentence without a sound', async () => {
  const scripted = createScriptedTts();
  const { tick } = await speaking(`${FIRST} ${SECOND}`, {
    name: 'partly mute',
    voices: ['none'],
    async *speak(request) {
      if (request.text !== FIRST) yield* scripted.speak(request);
    },
    close: async () => {},
  });
  const frame = new Int16Array(160);
  tick(frame);
  expect(frame.some((sample) => sample !== 0)).toBe(true);
});

describe('what was heard of a turn', () => {
  it('is a share of what the voice has made, where that is more than usual and not all of it', async () => {
    const { player, play } = await speaking(FIRST, {
      name: 'slow',
      voices: ['none'],
      async *speak() {
        yield new Int16Array(8 * 2 * toneMs(FIRST)).fill(6_000);
        await new Promise(() => {});
      },
      close: async () => {},
    });
    await play(toneMs(FIRST));
    expect(player.heardText()).toBe('The first sentence');
  });

  it('ends before the word that was cut', async () => {
    const { player, play } = await speaking(FIRST);
    // In the middle of "sentence".
    await play(toneMs('The first sent'));
    expect(player.heardText()).toBe('The first');
    await play(toneMs('ence ') + FRAME_MS);
    expect(player.heardText()).toBe('The first sentence');
  });

  it('is the first sentence, whole, while the next one has only begun', async () => {
    const { player, play } = await speaking(`${FIRST} ${SECOND}`);
    await play(toneMs(FIRST));
    expect(player.heardText()).toBe(FIRST);
    await play(300 + toneMs('And the sec'));
    expect(player.heardText()).toBe(`${FIRST} And the`);
  });

  it('leaves out what the peer still held back, over the pause between two sentences', async () => {
    const { player, play } = await speaking(`${FIRST} ${SECOND}`);
    await play(toneMs(FIRST) + FRAME_MS);
    // Of 200 ms that were sent last, all but one frame are of the first sentence.
    expect(player.heardText(200)).toBe('The first sentence has seven words');
  });

  it.each([0, 100, 5_000])(
    'takes no pause for played that was not, %d ms after the first',
    async (silentMs) => {
      const { player, play, tick } = await speaking(FIRST);
      await play(toneMs(FIRST));
      player.say(SECOND, true);
      await settle();
      expect(player.heardText(100)).toBe('The first sentence has seven words');
      tick(new Int16Array(160), silentMs);
      expect(player.heardText(FRAME_MS + 100)).toBe('The first sentence has seven words');
    },
  );

  it('does not count what was thrown away and is being said again', async () => {
    const { player, play } = await speaking(SECOND);
    await play(1_500);
    const before = player.heardText(800);
    player.rewind(800);
    await play(FRAME_MS);
    expect(player.heardText()).toBe(before);
    expect(before.length).toBeLessThan(SECOND.length / 2);
    // What was heard before stays heard, however far the agent went back.
    player.rewind(0);
    expect(player.heardText()).toBe(before);
  });
});
