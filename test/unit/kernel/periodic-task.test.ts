import { describe, expect, it } from 'vitest';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import { FakeClock } from '#test/support/fake-clock.js';

const EVERY_MS = 1_000;

/** A task whose runs last until the test ends them. */
function openTask() {
  const clock = new FakeClock();
  const ends: (() => void)[] = [];
  const task = new PeriodicTask(clock, {
    everyMs: EVERY_MS,
    run: () => new Promise((resolve) => ends.push(resolve)),
  });
  return { clock, task, ends };
}

describe('PeriodicTask', () => {
  it('runs one pause after the start, and again one pause after the end of the run before', async () => {
    const { clock, task, ends } = openTask();
    task.start();

    await clock.advance(EVERY_MS - 1);
    expect(ends).toHaveLength(0);
    await clock.advance(1);
    expect(ends).toHaveLength(1);
    await clock.advance(10 * EVERY_MS);
    expect(ends).toHaveLength(1);
    ends[0]!();
    await clock.advance(EVERY_MS);
    expect(ends).toHaveLength(2);
  });

  it('resolves stop when the current run is done, and starts no other', async () => {
    const { clock, task, ends } = openTask();
    task.start();
    await clock.advance(EVERY_MS);
    let isStopped = false;
    const stopped = task.stop().then(() => (isStopped = true));

    await clock.advance(EVERY_MS);
    expect(isStopped).toBe(false);
    ends[0]!();
    await stopped;
    expect(clock.armed).toBe(0);
  });

  it('never runs when it was halted before the start', () => {
    const { clock, task } = openTask();
    task.halt();
    task.start();

    expect(clock.armed).toBe(0);
  });
});
