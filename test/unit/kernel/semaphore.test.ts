import { describe, expect, it } from 'vitest';
import { Semaphore } from '#kernel/work/semaphore.js';
import { settle } from '#test/support/fake-clock.js';

/** Tasks that end when they are told to. */
function openTasks(count: number) {
  const begun: number[] = [];
  const ends: (() => void)[] = [];
  const tasks = Array.from({ length: count }, (_, index) => () => {
    begun.push(index);
    return new Promise<number>((resolve) => (ends[index] = () => resolve(index)));
  });
  return { begun, ends, tasks };
}

describe('a semaphore', () => {
  it('runs up to its bound at once, and the others first in, first out', async () => {
    const semaphore = new Semaphore(2);
    const { begun, ends, tasks } = openTasks(4);
    const results = tasks.map((task) => semaphore.run(task));
    await settle();
    expect(begun).toEqual([0, 1]);
    ends[1]!();
    await settle();
    expect(begun).toEqual([0, 1, 2]);
    ends[0]!();
    await settle();
    expect(begun).toEqual([0, 1, 2, 3]);
    ends[2]!();
    ends[3]!();
    expect(await Promise.all(results)).toEqual([0, 1, 2, 3]);
  });

  it('reads its bound whenever a task arrives or ends', async () => {
    let places = 2;
    const semaphore = new Semaphore(() => places);
    const { begun, ends, tasks } = openTasks(6);
    for (const task of tasks) void semaphore.run(task);
    await settle();
    expect(begun).toEqual([0, 1]);
    places = 1;
    ends[0]!();
    await settle();
    expect(begun).toEqual([0, 1]);
    places = 3;
    ends[1]!();
    await settle();
    expect(begun).toEqual([0, 1, 2, 3, 4]);
  });

  it('frees the place of a task that failed', async () => {
    const semaphore = new Semaphore(1);
    await expect(semaphore.run(() => Promise.reject(new Error('no')))).rejects.toThrow('no');
    expect(await semaphore.run(async () => 'yes')).toBe('yes');
  });
});
