import { beforeEach, describe, expect, it } from 'vitest';
import { ClockJumpGuard } from '#housekeeping/clock-jump-guard.js';
import { FakeClock } from '#test/support/fake-clock.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;
const YEAR_MS = 365 * DAY_MS;

let clock: FakeClock;
let right: number;

beforeEach(() => {
  clock = new FakeClock();
  right = clock.wallMs();
});

/** Advances time as housekeeping does, in steps of ten minutes. Returns the last present. */
function pass(time: ClockJumpGuard, forMs: number): number {
  let now = time.now();
  for (let passedMs = 0; passedMs < forMs; passedMs += 10 * MINUTE_MS) {
    clock.stall(10 * MINUTE_MS);
    now = time.now();
  }
  return now;
}

function jump(byMs: number): void {
  clock.setWall(clock.wallMs() + byMs);
}

describe('the clock-jump guard', () => {
  it('follows the wall clock while it does not jump', () => {
    const time = new ClockJumpGuard(clock, null);
    expect(time.now()).toBe(right);
    expect(pass(time, 3 * DAY_MS)).toBe(right + 3 * DAY_MS);
  });

  it.each([
    ['a day', DAY_MS],
    ['ten years', 10 * YEAR_MS],
  ])('ignores a clock that is %s ahead for less than an hour', (_, byMs) => {
    const time = new ClockJumpGuard(clock, right);
    jump(byMs);
    expect(pass(time, 50 * MINUTE_MS)).toBe(right + 50 * MINUTE_MS);
    jump(-byMs);
    expect(pass(time, HOUR_MS)).toBe(right + 110 * MINUTE_MS);
  });

  it('catches up by a day an hour, so that a clock that is ahead for longer does little', () => {
    const time = new ClockJumpGuard(clock, right);
    jump(10 * YEAR_MS);
    const reached = pass(time, 3 * HOUR_MS);
    expect(reached).toBeLessThanOrEqual(right + 53 * HOUR_MS);
    jump(-10 * YEAR_MS);
    expect(time.now()).toBe(right + 3 * HOUR_MS);
  });

  it('catches up soon after a night in which the machine slept', () => {
    const time = new ClockJumpGuard(clock, right);
    jump(9 * HOUR_MS);
    expect(pass(time, HOUR_MS - 10 * MINUTE_MS)).toBeLessThan(clock.wallMs());
    expect(pass(time, HOUR_MS)).toBe(clock.wallMs());
  });

  it('catches up within two days of a start after a month without the service', () => {
    jump(30 * DAY_MS);
    const time = new ClockJumpGuard(clock, right);
    expect(time.now()).toBe(right);
    expect(pass(time, DAY_MS)).toBeLessThan(clock.wallMs());
    expect(pass(time, DAY_MS)).toBe(clock.wallMs());
  });

  it('continues at once after a short stop', () => {
    jump(20 * MINUTE_MS);
    const time = new ClockJumpGuard(clock, right);
    expect(pass(time, 10 * MINUTE_MS)).toBe(clock.wallMs());
  });

  it('is never later than the wall clock, whatever was stored', () => {
    const time = new ClockJumpGuard(clock, right + YEAR_MS);
    expect(time.now()).toBe(right);
    jump(-DAY_MS);
    expect(time.now()).toBe(right - DAY_MS);
  });

  it('is a whole number of milliseconds', () => {
    const time = new ClockJumpGuard(clock, right);
    jump(DAY_MS);
    time.now();
    clock.stall(1_000.25);
    expect(time.now()).toBe(right + 1_000);
  });
});
