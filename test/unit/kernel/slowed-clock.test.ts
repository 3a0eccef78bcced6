import { expect, it } from 'vitest';
import type { Clock } from '#kernel/time/clock.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { slowedClock } from '#test/support/slowed-clock.js';

it('a slowed clock has its own time, and its timers come in it', async () => {
  const fast = new FakeClock();
  const clock = slowedClock(fast, 2);
  const startedMs = clock.monotonicMs();
  const rung: number[] = [];
  clock.after(1_000, () => rung.push(clock.monotonicMs() - startedMs));
  const calledOff = clock.after(500, () => rung.push(0));
  calledOff();
  calledOff();

  await fast.advance(1_999);
  expect(rung).toEqual([]);
  await fast.advance(1);
  expect(rung).toEqual([1_000]);
  await fast.advance(5_000);
  expect(clock.monotonicMs() - startedMs).toBe(3_500);
  expect(fast.armed).toBe(0);
});

it('a standstill of the machine is hardly any time to it, while somebody waits for something', () => {
  let nowMs = 0;
  const still: Clock = { wallMs: () => nowMs, monotonicMs: () => nowMs, after: () => () => {} };
  const clock = slowedClock(still, 1);
  nowMs = 2_000;
  expect(clock.monotonicMs()).toBe(2_000);
  clock.after(5_000, () => {});
  nowMs = 4_000;
  expect(clock.monotonicMs()).toBe(2_100);
  expect(clock.wallMs()).toBe(2_100);
});
