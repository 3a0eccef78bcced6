import { describe, expect, it } from 'vitest';
import { KeyedTasks, Tasks } from '#kernel/work/tasks.js';
import { settle } from '#test/support/fake-clock.js';

function task() {
  let finish!: () => void;
  const done = new Promise<void>((resolve) => (finish = resolve));
  return { done, finish };
}

describe('tasks', () => {
  it('are settled when all are done, including those added meanwhile', async () => {
    const tasks = new Tasks();
    const [first, second] = [task(), task()];
    tasks.add(first.done);
    let isSettled = false;
    void tasks.settled().then(() => (isSettled = true));
    tasks.add(second.done);
    first.finish();
    await settle();
    expect(isSettled).toBe(false);
    second.finish();
    await settle();
    expect(isSettled).toBe(true);
    await tasks.settled();
  });

  it('run one at a time for each key', async () => {
    const tasks = new KeyedTasks();
    const begun: string[] = [];
    const first = task();
    const begin = (key: string, name: string, done = Promise.resolve()) =>
      tasks.begin(key, () => {
        begun.push(name);
        return done;
      });
    begin('a', 'first', first.done);
    begin('a', 'second');
    begin('b', 'other');
    expect(begun).toEqual(['first', 'other']);
    first.finish();
    await tasks.settled();
    begin('a', 'third');
    expect(begun).toEqual(['first', 'other', 'third']);
    await tasks.settled();
  });
});
