import { describe, expect, it } from 'vitest';
import { ClockWatch } from '#kernel/work/clock-watch.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const HOUR_MS = 3_600_000;

function open() {
  const clock = new FakeClock();
  const log = createMemoryLog();
  const watch = new ClockWatch({ clock, log: log.log });
  let setBack = 0;
  watch.onSetBack(() => (setBack += 1));
  watch.start();
  return {
    clock,
    watch,
    jump: (byMs: number) => clock.setWall(clock.wallMs() + byMs),
    setBack: () => setBack,
    told: () => log.lines.map(({ msg, clock_ahead_seconds }) => [msg, clock_ahead_seconds]),
  };
}

const HELD =
  'the clock has jumped: runs that are late only by the jump are held until it is accepted or undone';

describe('a jump of the wall clock', () => {
  it.each([HOUR_MS, -HOUR_MS, 10_000])(
    'that jumps by %i ms is in doubt until it is back, and told of once each way',
    async (byMs) => {
      const { clock, watch, jump, setBack, told } = open();
      await clock.advance(5_000);
      expect(watch.doubt).toBeNull();
      jump(byMs);
      expect(watch.doubt).toMatchObject({ aheadMs: byMs });
      await clock.advance(30_000);
      expect(watch.doubt).toMatchObject({ aheadMs: byMs });
      expect(setBack()).toBe(0);
      jump(-byMs);
      await clock.advance(1_000);
      expect(watch.doubt).toBeNull();
      expect(setBack()).toBe(1);
      expect(told()).toEqual([
        [HELD, byMs / 1_000],
        ['the jump of the clock is undone', byMs / 1_000],
      ]);
    },
  );

  it.each([
    ['ahead', HOUR_MS, 0],
    ['back', -HOUR_MS, 1],
  ])('that stays %s is accepted after a minute', async (_where, byMs, timesSetBack) => {
    const { clock, watch, jump, setBack, told } = open();
    jump(byMs);
    await clock.advance(60_000);
    expect(watch.doubt).not.toBeNull();
    await clock.advance(1_000);
    expect(watch.doubt).toBeNull();
    expect(setBack()).toBe(timesSetBack);
    expect(told()[1]).toEqual(['the jump of the clock is accepted', byMs / 1_000]);
  });

  it('followed by another is in doubt for another minute', async () => {
    const { clock, watch, jump, told } = open();
    jump(HOUR_MS);
    await clock.advance(50_000);
    jump(HOUR_MS);
    await clock.advance(50_000);
    expect(watch.doubt).toMatchObject({ aheadMs: 2 * HOUR_MS });
    expect(told()).toEqual([
      [HELD, 3_600],
      [HELD, 7_200],
    ]);
  });

  it('is not seen in a slewed clock, or after the process stood still', async () => {
    const { clock, watch, jump, told } = open();
    for (let second = 0; second < 600; second += 1) {
      await clock.advance(1_000);
      jump(100);
    }
    clock.stall(HOUR_MS);
    expect(watch.doubt).toBeNull();
    expect(told()).toEqual([]);
  });
});
