import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sleep, systemClock, toInstant, toInstantOrNull, type Clock } from '#kernel/time/clock.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { cases } from '#test/support/tier.js';

describe.each<[string, Clock, (ms: number) => Promise<void>]>([
  ['system', systemClock, () => sleep(systemClock, 15)],
  (() => {
    const clock = new FakeClock();
    return ['fake', clock, (ms: number) => clock.advance(ms)] as [
      string,
      Clock,
      (ms: number) => Promise<void>,
    ];
  })(),
])('the %s clock', (_name, clock, pass) => {
  it('runs a task once, when its time has come', async () => {
    let runs = 0;
    clock.after(5, () => (runs += 1));
    expect(runs).toBe(0);
    await pass(20);
    await pass(20);
    expect(runs).toBe(1);
  });

  it('runs tasks in the order of their due times, and of their requests', async () => {
    const runs: string[] = [];
    const note = (name: string) => () => void runs.push(name);
    clock.after(9, note('late'));
    clock.after(5, note('first'));
    clock.after(5, note('second'));
    clock.after(5, note('called off'))();
    clock.after(0, note('at once'));
    clock.after(-3, note('overdue'));
    await pass(20);
    expect(runs).toEqual(['at once', 'overdue', 'first', 'second', 'late']);
  });

  it('runs a task without delay after the tasks that were due', async () => {
    const runs: string[] = [];
    clock.after(5, () => {
      clock.after(0, () => runs.push('asked for'));
      runs.push('asking');
    });
    clock.after(5, () => runs.push('due'));
    await pass(20);
    expect(runs).toEqual(['asking', 'due', 'asked for']);
  });

  it('does not run a cancelled task', async () => {
    let runs = 0;
    clock.after(5, () => (runs += 1))();
    await pass(20);
    expect(runs).toBe(0);
  });

  it('advances wall and monotonic time together', async () => {
    const [wallMs, monotonicMs] = [clock.wallMs(), clock.monotonicMs()];
    await pass(20);
    expect(clock.wallMs() - wallMs).toBeGreaterThanOrEqual(10);
    expect(clock.monotonicMs() - monotonicMs).toBeGreaterThanOrEqual(10);
    expect(Number.isInteger(clock.wallMs())).toBe(true);
  });
});

describe('sleeping', () => {
  it('ends early, without a leftover timer, when its signal aborts', async () => {
    const clock = new FakeClock();
    const abort = new AbortController();
    const slept = sleep(clock, 60_000, abort.signal);
    abort.abort();
    await slept;
    expect(clock.armed).toBe(0);
    await sleep(clock, 60_000, abort.signal);
    expect(clock.armed).toBe(0);
  });
});

it('instants are formatted in UTC with milliseconds', () => {
  expect(toInstant(1_796_137_200_000)).toBe('2026-12-01T15:00:00.000Z');
  expect(toInstantOrNull(null)).toBeNull();
  fc.assert(
    fc.property(
      fc.double({ min: -8.64e15, max: 8.64e15, noNaN: true }),
      fc.nat({ max: 3_000 }),
      (ms, near) => {
        for (const epochMs of [ms, Math.trunc(ms), Math.trunc(ms / 1_000) * 1_000 + near]) {
          if (Math.abs(epochMs) > 8.64e15) continue;
          expect(toInstant(epochMs)).toBe(new Date(epochMs).toISOString());
        }
      },
    ),
    { numRuns: cases(200, 2_000) },
  );
  expect(() => toInstant(Number.NaN)).toThrow(RangeError);
});

it('a delay longer than the longest timer of Node is not cut short', async () => {
  let runs = 0;
  const cancel = systemClock.after(2 ** 31 + 1_000, () => (runs += 1));
  // Node would run the task of such a timer after a millisecond.
  await sleep(systemClock, 15);
  cancel();
  expect(runs).toBe(0);
});
