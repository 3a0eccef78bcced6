import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SampleClock } from '#conversation/line/sample-clock.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const FRAME = 160;

/**
 * A sample clock on its pacing timer; sent frames carry their number, `heard` has them by the tick they were put in.
 */
function start() {
  const clock = new FakeClock();
  const pacingTimer = createPacingTimer({ clock, log: createMemoryLog().log });
  const tickedAtMs: number[] = [];
  const heard: (number | null)[] = [];
  const mended: number[] = [];
  const lost: number[] = [];
  const sampleClock = new SampleClock({
    clock,
    frameSamples: FRAME,
    handler: {
      tick(tick, sound) {
        expect(tick).toBe(tickedAtMs.length);
        tickedAtMs.push(clock.monotonicMs());
        heard.push(sound ? sound[0]! : null);
      },
      insertLate(tick, sound) {
        expect(heard[tick]).toBeNull();
        heard[tick] = sound[0]!;
        mended.push(tick);
      },
      stalled: () => {},
      frameLost: (tick) => void lost.push(tick),
    },
  });
  pacingTimer.join(() => sampleClock.catchUp());
  let sent = 0;
  return {
    clock,
    sampleClock,
    tickedAtMs,
    heard,
    mended,
    lost,
    /** The next `count` frames, all at once. */
    send(count = 1, { loud = true } = {}) {
      for (let index = 0; index < count; index += 1) {
        const frame = new Int16Array(FRAME).fill(loud ? 5_000 : 0);
        frame[0] = ++sent;
        sampleClock.hear(frame);
      }
    },
    /** The peer's frames as they come every `everyMs`. */
    async flow(forMs: number, everyMs = 20) {
      for (let passedMs = 0; passedMs < forMs; passedMs += everyMs) {
        await clock.advance(everyMs);
        this.send();
      }
    },
    get sent() {
      return sent;
    },
  };
}

const numbers = (count: number, from = 1) => Array.from({ length: count }, (_, index) => from + index);

describe('the sample clock', () => {
  it('makes a tick of every frame that arrives', async () => {
    const time = start();
    await time.flow(1_000);
    expect(time.heard).toEqual(numbers(50));
    expect(time.tickedAtMs).toEqual(numbers(50).map((frame) => frame * 20));
  });

  it('gives the same frames however the sound is cut', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1, max: 700 }), { maxLength: 30 }), (lengths) => {
        const frames: number[] = [];
        const sampleClock = new SampleClock({
          clock: new FakeClock(),
          frameSamples: FRAME,
          handler: {
            tick: (_, sound) => frames.push(...sound!),
            insertLate: () => {},
            frameLost: () => {},
            stalled: () => {},
          },
        });
        let sample = 0;
        for (const length of lengths) sampleClock.hear(new Int16Array(length).map(() => sample++));
        // What is ahead of real time waits; the rest is here, in order.
        expect(frames).toEqual(numbers(frames.length, 0));
        expect(frames.length).toBe(Math.min(Math.floor(sample / FRAME), 11) * FRAME);
      }),
    );
  });

  it('lets the pacingTimer make the ticks when nothing comes at all', async () => {
    const time = start();
    await time.clock.advance(1_000);
    expect(time.tickedAtMs[0]).toBe(80);
    expect(time.heard.length).toBe(47);
    expect(new Set(time.heard)).toEqual(new Set([null]));
  });

  it('puts a late burst in its place without shifting anything, and without a tick of its own', async () => {
    const time = start();
    await time.flow(1_000);
    await time.clock.advance(280);
    const ticksBefore = time.heard.length;
    expect(ticksBefore).toBeGreaterThan(58);
    time.send(14);
    await time.flow(1_000);
    expect(time.heard).toEqual(numbers(50 + 14 + 50));
    expect(time.mended).toEqual(numbers(ticksBefore - 50, 50));
    expect(time.lost).toEqual([]);
  });

  it('leaves silence where frames were lost, and does not delay the ones that follow', async () => {
    const time = start();
    await time.flow(1_000);
    await time.clock.advance(200);
    await time.flow(1_000);
    const holes = time.heard.filter((frame) => frame === null).length;
    expect(holes).toBeGreaterThan(0);
    expect(time.lost.length).toBe(holes);
    // The newest frame stands in the newest tick.
    expect(time.heard.at(-1)).toBe(time.sent);
  });

  it.each([100, 300, 800])('puts the first frame after %i ms of loss next to the second', async (lostMs) => {
    const time = start();
    await time.flow(1_000);
    await time.clock.advance(lostMs);
    await time.flow(1_000);
    const silence = Array.from({ length: lostMs / 20 }, () => null);
    expect(time.heard).toEqual([...numbers(50), ...silence, ...numbers(50, 51)]);
  });

  it('keeps a frame in its time that comes alone in the middle of a loss', async () => {
    const time = start();
    await time.flow(1_000);
    await time.clock.advance(200);
    time.send();
    await time.clock.advance(200);
    await time.flow(1_000);
    expect(time.heard.indexOf(51)).toBeGreaterThanOrEqual(58);
    expect(time.heard.indexOf(51)).toBeLessThanOrEqual(60);
    expect(time.heard.at(-1)).toBe(time.sent);
  });

  it.each([1, 2, 3, 12])('keeps up with real time when every second %i frames are lost', async (lost) => {
    const time = start();
    for (let second = 0; second < 60; second += 1) {
      await time.flow(1_000 - 20 * lost);
      await time.clock.advance(20 * lost);
    }
    expect(Math.abs(time.heard.length * 20 - 60_000)).toBeLessThanOrEqual(80);
    const inOrder = time.heard.filter((frame) => frame !== null);
    expect(inOrder).toEqual(numbers(60 * (50 - lost)));
  });

  it('keeps up with real time when the peer stands still and then goes on, again and again', async () => {
    const time = start();
    for (let round = 0; round < 20; round += 1) {
      await time.flow(1_000);
      await time.clock.advance(2_000);
    }
    await time.flow(40);
    expect(Math.abs(time.heard.length * 20 - 60_000)).toBeLessThanOrEqual(80);
    expect(time.heard.at(-1)).toBe(time.sent);
  });

  it.each([50, 130, 500, 3_000])(
    'puts everything in its place when its own process only runs every %i ms',
    async (pauseMs) => {
      const time = start();
      await time.flow(1_000);
      for (let passedMs = 0; passedMs < 60_000; passedMs += pauseMs) {
        time.clock.stall(pauseMs);
        // The pacing timer's timer is first; then what has come on the socket is read.
        await time.clock.advance(0);
        time.send(Math.floor(time.clock.monotonicMs() / 20) - time.sent);
      }
      expect(Math.abs(time.heard.length * 20 - time.clock.monotonicMs())).toBeLessThanOrEqual(150);
      const inOrder = time.heard.filter((frame) => frame !== null);
      expect(inOrder).toEqual(numbers(time.sent));
      expect(time.heard.length - inOrder.length).toBeLessThanOrEqual(10);
    },
  );

  it('makes up for a pause of its own process in which the peer sent nothing, and lets others have their turn', async () => {
    const time = start();
    await time.flow(1_000);
    time.clock.stall(10_000);
    await time.clock.advance(20);
    expect(time.heard.length).toBeLessThanOrEqual(50 + 50 + 1);
    await time.clock.advance(400);
    expect(Math.abs(time.heard.length * 20 - time.clock.monotonicMs())).toBeLessThanOrEqual(100);
  });

  it('gives up sound that is more than 400 ms late', async () => {
    const time = start();
    await time.flow(200);
    await time.clock.advance(1_000);
    expect(time.lost.length).toBe(time.heard.length - 10 - 20);
    time.send(50);
    await time.clock.advance(1_000);
    // Nothing that arrived is thrown away.
    expect(time.heard.filter((frame) => frame !== null)).toEqual(numbers(10 + 50));
  });

  it('is live again soon after a long stall: silence is skipped, speech is not', async () => {
    const time = start();
    await time.flow(200);
    await time.clock.advance(1_000);
    time.send(50);
    expect(time.heard.at(-1)).toBeLessThan(time.sent);
    for (let frame = 0; frame < 60; frame += 1) {
      await time.clock.advance(20);
      time.send(1, { loud: false });
    }
    expect(time.heard.at(-1)).toBe(time.sent);
    const inOrder = time.heard.filter((frame) => frame !== null);
    expect(inOrder.slice(0, 60)).toEqual(numbers(60));
    expect(inOrder.length).toBeGreaterThan(90);
  });

  it('is back with real time after sound that was far too late, as soon as there is silence', async () => {
    const time = start();
    await time.flow(200);
    await time.clock.advance(1_000);
    time.send(50);
    for (let frame = 0; frame < 200; frame += 1) {
      await time.clock.advance(20);
      time.send(1, { loud: false });
    }
    expect(Math.abs(time.heard.length * 20 - time.clock.monotonicMs())).toBeLessThanOrEqual(60);
  });

  it('takes a whole file that is sent at once in real time', async () => {
    const time = start();
    time.send(200);
    expect(time.heard.length).toBe(11);
    await time.clock.advance(2_000);
    expect(time.heard.length).toBe(111);
    await time.clock.advance(1_800);
    expect(time.heard.slice(0, 200)).toEqual(numbers(200));
  });

  it('drops what is more than ten seconds ahead, and says how much', () => {
    const time = start();
    time.send(11 + 500);
    expect(time.sampleClock.hear(new Int16Array(FRAME))).toBe(FRAME);
  });

  it.each([
    ['slow', 20.05],
    ['fast', 19.95],
  ])('follows a carrier whose clock is %s', async (_, everyMs) => {
    const time = start();
    for (let frame = 1; frame <= 5_000; frame += 1) {
      await time.clock.advance(frame * everyMs - time.clock.monotonicMs());
      time.send();
    }
    expect(time.heard).toEqual(numbers(5_000));
  });

  it('lets sound that is sent from within a tick wait until that tick is over', () => {
    const [first, second] = [new Int16Array(FRAME).fill(1), new Int16Array(FRAME).fill(2)];
    const heard: number[] = [];
    const sampleClock: SampleClock = new SampleClock({
      clock: new FakeClock(),
      frameSamples: FRAME,
      handler: {
        tick(_tick, sound) {
          if (heard.length === 0) sampleClock.hear(second);
          heard.push(sound![0]!);
        },
        insertLate: () => {},
        frameLost: () => {},
        stalled: () => {},
      },
    });
    sampleClock.hear(first);
    expect(heard).toEqual([1, 2]);
  });

  it('never ticks after it was stopped', async () => {
    const time = start();
    await time.flow(100);
    time.sampleClock.stop();
    await time.flow(100);
    expect(time.heard.length).toBe(5);
  });

  it('keeps order and pace whatever the network does', async () => {
    const arrival = fc.record({
      gapMs: fc.integer({ min: 0, max: 700 }),
      lost: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(arrival, { maxLength: 12 }), async (arrivals) => {
        const time = start();
        let dueFrames = 0;
        for (const { gapMs, lost } of arrivals) {
          await time.clock.advance(gapMs);
          dueFrames += gapMs / 20;
          const arrived = Math.floor(dueFrames) - time.sent - lost;
          if (arrived > 0) time.send(arrived);
          const aheadMs = time.heard.length * 20 - time.clock.monotonicMs();
          expect(aheadMs).toBeLessThanOrEqual(240);
        }
        const inOrder = time.heard.filter((frame) => frame !== null);
        expect(inOrder).toEqual(numbers(inOrder.length));
      }),
      { numRuns: 60 },
    );
  });
});
