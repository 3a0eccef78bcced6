import { describe, expect, it } from 'vitest';
import { Channel } from '#conversation/line/channel.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const SAMPLES = 160;

/** A channel whose agent says the numbers that are put into `words`, a frame each. */
function open({ lagMs = 0, clears = true, isRecorded = true } = {}) {
  const clock = new FakeClock();
  const { log } = createMemoryLog();
  const words: number[] = [];
  const sent: number[] = [];
  const wire: number[] = [];
  const recorded: [customer: number | null, agent: number][] = [];
  const pauses: { atMs: number; forMs: number }[] = [];
  const channel = new Channel({
    clock,
    log,
    pacingTimer: createPacingTimer({ clock, log }),
    line: {
      sampleRateHz: 8000,
      send(frame) {
        sent.push(frame[0]!);
        wire.push(...frame);
      },
      clear: () => clears,
      lagMs,
    },
    recorder: isRecorded
      ? {
          write: (customer, agent) => void recorded.push([customer?.[0] ?? null, agent[0]!]),
          insertLate: (fromSample, customer) => (recorded[fromSample / SAMPLES]![0] = customer[0]!),
          stalled: (forMs) => void pauses.push({ atMs: recorded.length * 20, forMs }),
          retract: (lastMs) =>
            recorded.slice(recorded.length - lastMs / 20).forEach((frame) => (frame[1] = 0)),
        }
      : null,
    speak(frame) {
      const word = words.shift();
      if (word !== undefined) frame.fill(word);
      return word !== undefined;
    },
    hear: () => {},
    afterTick: () => {},
    onKeysSent: () => {},
    onFailure: (error) => {
      throw error;
    },
  });
  const hear = async (value: number) => {
    await clock.advance(20);
    channel.receive(new Int16Array(SAMPLES).fill(value));
  };
  return { channel, clock, words, sent, wire, recorded, pauses, hear };
}

describe('a channel of a process that stood still', () => {
  it('tells its recording of the pause, and goes on with it behind that', async () => {
    const { clock, recorded, pauses, hear } = open();
    for (const value of [1, 2, 3]) await hear(value);
    clock.stall(30_000);
    await clock.advance(2_000);
    expect(pauses).toHaveLength(1);
    expect(pauses[0]!.atMs).toBe(60);
    expect(pauses[0]!.forMs).toBeGreaterThan(29_900);
    await hear(7);
    await hear(8);
    expect(recorded.length * 20).toBeGreaterThan(31_900);
    expect(recorded.slice(-3).some(([customer]) => customer === 7)).toBe(true);
  });

  it('says nothing of a short one', async () => {
    const { clock, pauses, hear } = open();
    for (const value of [1, 2, 3]) await hear(value);
    clock.stall(800);
    await clock.advance(1_000);
    expect(pauses).toEqual([]);
  });
});

describe('a channel', () => {
  it('sends one frame for each that it hears, and records both', async () => {
    const { words, sent, recorded, hear } = open();
    words.push(5, 6);
    for (const value of [1, 2, 3]) await hear(value);
    expect(sent).toEqual([5, 6, 0]);
    expect(recorded).toEqual([
      [1, 5],
      [2, 6],
      [3, 0],
    ]);
  });

  it('sends them just so where nothing is recorded', async () => {
    const { words, sent, hear } = open({ isRecorded: false });
    words.push(5, 6);
    for (const value of [1, 2, 3, 4]) await hear(value);
    expect(sent).toEqual([5, 6, 0, 0]);
  });

  it('fades where its agent breaks off and nothing can be thrown away, with what was sent untouched', async () => {
    const { channel, words, wire, recorded, hear } = open({ clears: false });
    words.push(6_000, 6_000);
    await hear(1);
    expect(channel.clearPlayout()).toBe(Infinity);
    await hear(2);
    await hear(3);
    await hear(4);
    expect(wire.slice(0, 2 * SAMPLES).every((sample) => sample === 6_000)).toBe(true);
    const steps = wire.slice(1).map((sample, at) => wire[at]! - sample);
    expect([Math.max(...steps) < 250, Math.min(...steps)]).toEqual([true, 0]);
    expect(wire.slice(2 * SAMPLES + 40).every((sample) => sample === 0)).toBe(true);
    expect(recorded.map(([, agent]) => agent)).toEqual([6_000, 6_000, wire[2 * SAMPLES], 0]);
  });

  it('adds nothing to a silence in which its agent is cut', async () => {
    const { channel, words, wire, hear } = open({ clears: false });
    words.push(6_000);
    for (const value of [1, 2, 3]) await hear(value);
    channel.clearPlayout();
    for (const value of [4, 5]) await hear(value);
    expect(wire.slice(SAMPLES).every((sample) => sample === 0)).toBe(true);
  });

  it('is silent at once where the peer throws away what it has not played', async () => {
    const { channel, words, wire, hear } = open();
    words.push(6_000, 6_000);
    await hear(1);
    channel.clearPlayout();
    await hear(2);
    expect(wire.slice(2 * SAMPLES)).toEqual(Array.from({ length: SAMPLES }, () => 0));
  });

  it('takes out of the recording what was sent and never heard, as far as the peer tells', async () => {
    const { channel, words, recorded, hear } = open({ lagMs: 40 });
    words.push(5, 6, 7, 8);
    for (const value of [1, 2, 3]) await hear(value);
    // 8 was sent ahead.
    expect(channel.clearPlayout()).toBe(60 - 40);
    words.length = 0;
    await hear(4);
    expect(recorded).toEqual([
      [1, 5],
      [2, 0],
      [3, 0],
      [4, 0],
    ]);
  });

  it('takes out the frame that it is ahead, too', async () => {
    const { channel, words, recorded, hear } = open({ lagMs: 40 });
    await hear(1);
    words.push(5, 6, 7);
    channel.sendNow();
    await hear(2);
    expect(channel.clearPlayout()).toBe(40 - 40);
    words.length = 0;
    await hear(3);
    expect(recorded.map(([, agent]) => agent)).toEqual([0, 0, 0]);
  });

  it('records the frame that it is ahead when no tick follows, once', async () => {
    const { channel, words, sent, recorded, hear } = open();
    await hear(1);
    words.push(5, 6, 7);
    channel.sendNow();
    await hear(2);
    channel.close();
    channel.close();
    expect(sent).toEqual([0, 5, 6]);
    expect(recorded).toEqual([
      [1, 0],
      [2, 5],
      [null, 6],
    ]);
  });

  it('sends sound that is there between two ticks at once, stays one frame ahead, and is in step again after it', async () => {
    const { channel, words, sent, recorded, hear } = open();
    await hear(1);
    words.push(5, 6, 7);
    channel.sendNow();
    expect(sent).toEqual([0, 5]);
    channel.sendNow();
    await hear(2);
    expect(sent).toEqual([0, 5, 6]);
    for (const value of [3, 4, 5]) await hear(value);
    expect(sent).toEqual([0, 5, 6, 7, 0]);
    expect(recorded).toEqual([
      [1, 0],
      [2, 5],
      [3, 6],
      [4, 7],
      [5, 0],
    ]);
  });

  it('does not hurry before the first tick, without anything to say, or when it is closed', async () => {
    const { channel, words, sent, hear } = open();
    words.push(5);
    channel.sendNow();
    expect(sent).toEqual([]);
    await hear(1);
    channel.sendNow();
    expect(sent).toEqual([5]);
    await hear(2);
    channel.close();
    words.push(6);
    channel.sendNow();
    expect(sent).toEqual([5, 0]);
  });

  it('puts sound that comes late where it belongs in the recording', async () => {
    const { channel, clock, recorded, hear } = open();
    await hear(1);
    await clock.advance(140);
    const holes = recorded.length - 1;
    expect(holes).toBeGreaterThan(0);
    for (let late = 0; late < holes; late++) channel.receive(new Int16Array(SAMPLES).fill(10 + late));
    expect(recorded.map(([customer]) => customer)).toEqual([
      1,
      ...Array.from({ length: holes }, (_, i) => 10 + i),
    ]);
  });

  it('says nothing for the time in which our own process stood still: nobody heard anything then', async () => {
    const { channel, clock, words, sent, recorded, hear } = open();
    await hear(1);
    words.push(...Array.from({ length: 40 }, (_, index) => 100 + index));
    await hear(2);
    clock.stall(1_000);
    await clock.advance(0);
    for (let late = 0; late < 50; late += 1) channel.receive(new Int16Array(SAMPLES).fill(3 + late));
    await hear(53);
    expect(recorded.map(([customer]) => customer)).toEqual(
      Array.from({ length: 53 }, (_, index) => 1 + index),
    );
    const agent = recorded.map(([, said]) => said);
    // The second was on its way.
    expect(agent.slice(1, 3)).toEqual([100, 101]);
    expect(new Set(agent.slice(3, 40))).toEqual(new Set([0]));
    // It goes on where it was, at most 200 ms back, which a peer still takes.
    const saidAgain = agent.slice(3).filter((said) => said > 0);
    expect(saidAgain).toEqual(saidAgain.map((_, index) => 102 + index));
    expect(saidAgain.length).toBeGreaterThan(8);
    expect(saidAgain.length).toBeLessThanOrEqual(13);
    // Nothing was sent for what is past.
    expect(sent).toEqual([0, 100, 101, ...saidAgain, 102 + saidAgain.length]);
  });
});
