import { describe, expect, it } from 'vitest';
import { SampleClock } from '#conversation/line/sample-clock.js';
import { FakeClock } from '#test/support/fake-clock.js';

const FRAME = 160;

describe('what the sample clock does not copy', () => {
  /** A clock that says back, from within its ticks, so many frames of its own. */
  function loopBack(frames: readonly Int16Array[]) {
    const ticked: Int16Array[] = [];
    const left = [...frames];
    const sampleClock: SampleClock = new SampleClock({
      clock: new FakeClock(),
      frameSamples: FRAME,
      ticking: {
        tick(_tick, sound) {
          ticked.push(sound!);
          const next = left.shift();
          if (next) sampleClock.hear(next);
        },
        mend: () => {},
        lose: () => {},
        stoodStill: () => {},
      },
    });
    return { sampleClock, ticked };
  }

  it('is a whole frame that nothing waits before', () => {
    const { sampleClock, ticked } = loopBack([]);
    const [whole, part] = [new Int16Array(FRAME), new Int16Array(FRAME / 2)];
    sampleClock.hear(whole);
    expect(ticked).toEqual([whole]);
    expect(ticked[0]).toBe(whole);
    for (const piece of [part, whole]) sampleClock.hear(piece);
    expect(ticked).toHaveLength(2);
    expect(ticked[1]).not.toBe(whole);
  });

  it('but what is said from within a tick waits until that is over', () => {
    const [first, second] = [new Int16Array(FRAME).fill(1), new Int16Array(FRAME).fill(2)];
    const { sampleClock, ticked } = loopBack([second]);
    sampleClock.hear(first);
    expect(ticked.map((frame) => frame[0])).toEqual([1, 2]);
    expect(ticked[0]).toBe(first);
  });
});
