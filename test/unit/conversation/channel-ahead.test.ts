import { describe, expect, it } from 'vitest';
import { Channel } from '#conversation/line/channel.js';
import { dtmfTone } from '#media/detecting/dtmf.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const SAMPLES = 160;

/** A channel to a peer that keeps what it is sent. The agent says the numbers in `words`, a frame each. */
function open({ lagMs = 0 } = {}) {
  const clock = new FakeClock();
  const { log } = createMemoryLog();
  const words: number[] = [];
  /** A word that is only half there: it is said when its time has come, and not before. */
  const halves = new Set<number>();
  const sent: { words: number[]; inMs: number }[] = [];
  const recorded: number[] = [];
  /** The tick after the last that was sent something for. */
  let sentTicks = 0;
  /** The loudest sample of each frame that was heard. */
  const heard: number[] = [];
  const channel = new Channel({
    clock,
    log,
    pacingTimer: createPacingTimer({ clock, log }),
    line: {
      sampleRateHz: 8000,
      playoutBuffer: { pieceMs: 100 },
      send(sound, inMs) {
        sent.push({ words: firstOfEach(sound), inMs });
        sentTicks = recorded.length + Math.max(0, inMs / 20 - 1) + sound.length / SAMPLES;
      },
      clear: () => true,
      lagMs,
    },
    recorder: {
      write: (_customer, agent) => void recorded.push(agent[0]!),
      insertLate: () => {},
      stalled: () => {},
      retract: (lastMs) => recorded.fill(0, recorded.length - lastMs / 20),
    },
    speak(frame, _tick, isDue) {
      const word = words[0];
      if (word === undefined || (halves.has(word) && !isDue)) return false;
      frame.fill(words.shift()!);
      return true;
    },
    hear: (frame) => void heard.push(Math.max(...frame)),
    afterTick: () => {},
    onKeysSent: () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  const hear = async (ticks: number) => {
    for (let tick = 0; tick < ticks; tick += 1) {
      await clock.advance(20);
      channel.receive(new Int16Array(SAMPLES).fill(1));
    }
  };
  const aheadMs = () => 20 * Math.max(0, sentTicks - recorded.length);
  return { channel, clock, words, halves, sent, aheadMs, recorded, heard, hear };
}

const firstOfEach = (sound: Int16Array) =>
  Array.from({ length: sound.length / SAMPLES }, (_, frame) => sound[frame * SAMPLES]!);
const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('a channel to a peer that keeps what it is sent', () => {
  it('sends pieces of 100 ms ahead of their time, and records each frame in its tick', async () => {
    const { words, sent, recorded, hear } = open();
    words.push(...upTo(18));
    await hear(20);
    expect(sent).toEqual([
      { words: [1, 2, 3, 4, 5], inMs: 0 },
      // The first has just begun to be heard, and three more follow it.
      { words: [6, 7, 8, 9, 10], inMs: 80 },
      { words: [11, 12, 13, 14, 15], inMs: 80 },
      { words: [16, 17, 18], inMs: 80 },
    ]);
    expect(recorded).toEqual([...upTo(18), 0, 0]);
  });

  it('sends no silence', async () => {
    const { words, sent, recorded, hear } = open();
    await hear(50);
    expect(sent).toEqual([]);
    words.push(7);
    await hear(50);
    expect(sent).toEqual([{ words: [7], inMs: 0 }]);
    expect(recorded).toEqual([...upTo(50).fill(0), 7, ...upTo(49).fill(0)]);
  });

  it('has 60 ms on the way at any time, so that a process that stands still for so long is not heard', async () => {
    const { words, hear, aheadMs } = open();
    words.push(...upTo(100));
    await hear(1);
    for (let tick = 0; tick < 60; tick += 1) {
      await hear(1);
      expect(aheadMs()).toBeGreaterThanOrEqual(60);
      expect(aheadMs()).toBeLessThanOrEqual(160);
    }
  });

  it('sends sound that is there between two ticks at once', async () => {
    const { channel, words, sent, hear } = open();
    await hear(1);
    words.push(...upTo(7));
    channel.sendNow();
    expect(sent.map((piece) => piece.words)).toEqual([[1, 2, 3, 4, 5]]);
    channel.sendNow();
    expect(sent).toHaveLength(1);
  });

  it('waits for a frame that is only half there until its time has come', async () => {
    const { words, halves, sent, recorded, hear } = open();
    words.push(1, 2, 3);
    halves.add(3);
    await hear(2);
    expect(sent.map((piece) => piece.words)).toEqual([[1, 2]]);
    await hear(1);
    expect(sent.map((piece) => piece.words)).toEqual([[1, 2], [3]]);
    expect(recorded).toEqual([1, 2, 3]);
  });

  it('takes back what is ahead when the agent falls silent: it was neither heard nor recorded', async () => {
    const { channel, words, recorded, hear, aheadMs } = open({ lagMs: 40 });
    words.push(...upTo(20));
    await hear(4);
    expect(aheadMs()).toBeGreaterThanOrEqual(60);
    expect(channel.clearPlayout()).toBe(80 - 40);
    words.length = 0;
    await hear(2);
    expect(recorded).toEqual([1, 2, 0, 0, 0, 0]);
  });

  it('records what the peer had already when our own process stands still, and nothing for the rest of that time', async () => {
    const { clock, channel, words, recorded, hear, aheadMs } = open();
    words.push(...upTo(40));
    await hear(2);
    const had = 2 + aheadMs() / 20;
    clock.stall(1_000);
    await clock.advance(0);
    for (let late = 0; late < 50; late += 1) channel.receive(new Int16Array(SAMPLES).fill(1));
    expect(recorded.slice(0, had)).toEqual(upTo(had));
    expect(recorded.slice(had, 40)).toEqual(upTo(40 - had).fill(0));
  });
});

describe('keys that are pressed ahead of their time', () => {
  it('are not heard as speech until 400 ms after they were played', async () => {
    const { channel, clock, heard, hear, aheadMs } = open();
    await hear(1);
    void channel.sendKeys('5');
    // The last of it is pressed in the tenth tick.
    await hear(10);
    expect(aheadMs()).toBe(0);
    await hear(14);
    heard.length = 0;
    const tone = dtmfTone('5', 8000);
    for (let at = 0; at < 480; at += SAMPLES) {
      await clock.advance(20);
      channel.receive(tone.slice(at, at + SAMPLES));
    }
    expect(heard).toEqual([0, 0, 0]);
  });
});
