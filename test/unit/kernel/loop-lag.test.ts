import { expect, it } from 'vitest';
import type { Clock } from '#kernel/time/clock.js';
import { LoopLag } from '#kernel/measuring/loop-lag.js';

/** Fires the only timer that is armed, so much too late. */
function lateClock() {
  let nowMs = 0;
  let armed: { atMs: number; task: () => void } | null = null;
  const clock: Clock = {
    wallMs: () => nowMs,
    monotonicMs: () => nowMs,
    after(delayMs, task) {
      armed = { atMs: nowMs + delayMs, task };
      return () => (armed = null);
    },
  };
  const fire = (lateMs: number, times = 1) => {
    for (let time = 0; time < times && armed; time += 1) {
      nowMs = armed.atMs + lateMs;
      armed.task();
    }
  };
  return { clock, fire, isArmed: () => armed !== null };
}

it('rises while timers are late, falls while they are on time, and hardly changes after a single pause', () => {
  const { clock, fire, isArmed } = lateClock();
  const lag = new LoopLag(clock);
  lag.start();
  fire(0, 5);
  expect(lag.meanMs).toBe(0);
  fire(1_000);
  expect(lag.meanMs).toBeCloseTo(100);
  fire(500, 20);
  expect(lag.meanMs).toBeGreaterThan(400);
  fire(0, 40);
  expect(lag.meanMs).toBeLessThan(10);
  lag.stop();
  expect(isArmed()).toBe(false);
});
