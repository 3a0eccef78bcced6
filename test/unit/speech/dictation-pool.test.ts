import { describe, expect, it } from 'vitest';
import { DictationPool } from '#providers/builtin/threads/dictation-pool.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** Workers whose loading is finished, or fails, by hand. */
function workersOf(count: number) {
  const loads: { worker: SpeechWorker; done(): void; fail(): void }[] = [];
  const workers = Array.from({ length: count }, () => {
    const worker = {
      request: () =>
        new Promise((resolve, reject) => {
          loads.push({ worker, done: () => resolve(null), fail: () => reject(new Error('no memory')) });
        }),
    } as unknown as SpeechWorker;
    return worker;
  });
  return { workers, loads };
}

const { log } = createMemoryLog();

describe('the pool of workers that take dictation', () => {
  it('loads nobody before somebody is wanted, and one is enough until then', async () => {
    const { workers, loads } = workersOf(2);
    const pool = new DictationPool(workers, log);
    expect(pool.loadedCount).toBe(0);
    const ready = pool.prepare();
    void pool.prepare();
    expect(pool.take()).toBeNull();
    expect(loads.length).toBe(1);
    loads[0]!.done();
    await ready;
    expect(pool.take()).toBe(workers[0]);
  });

  it('gives each to one caller at a time, and loads as many as are needed and no more than there may be', async () => {
    const { workers, loads } = workersOf(2);
    const pool = new DictationPool(workers, log);
    const first = pool.prepare();
    loads[0]!.done();
    await first;
    expect(pool.take()).toBe(workers[0]);
    expect(pool.take()).toBeNull();
    loads[1]!.done();
    await Promise.resolve();
    expect(pool.take()).toBe(workers[1]);
    for (let caller = 0; caller < 100; caller += 1) expect(pool.take()).toBeNull();
    expect([loads.length, pool.loadedCount]).toEqual([2, 2]);
    pool.giveBack(workers[0]!, false);
    expect(pool.take()).toBe(workers[0]);
  });

  it('has nobody where there are none', async () => {
    const pool = new DictationPool([], log);
    await pool.prepare();
    expect([pool.take(), pool.loadedCount]).toEqual([null, 0]);
  });

  it('does without one that cannot be loaded', async () => {
    const { workers, loads } = workersOf(1);
    const pool = new DictationPool(workers, log);
    const ready = pool.prepare();
    loads[0]!.fail();
    await ready;
    await pool.prepare();
    expect([pool.take(), pool.loadedCount, loads.length]).toEqual([null, 0, 1]);
  });

  it('loads one anew whose thread died', async () => {
    const { workers, loads } = workersOf(1);
    const pool = new DictationPool(workers, log);
    const ready = pool.prepare();
    loads[0]!.done();
    await ready;
    pool.giveBack(pool.take()!, true);
    expect(pool.take()).toBeNull();
    loads[1]!.done();
    await Promise.resolve();
    expect(pool.take()).toBe(workers[0]);
  });
});
