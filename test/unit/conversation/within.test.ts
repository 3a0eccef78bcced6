import { describe, expect, it } from 'vitest';
import { eachWithin, within } from '#conversation/talk/within.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';

const LIMIT_MS = 1_000;

/** What is given comes when it is asked for, in the test's own time; without end unless there is one. */
function open() {
  const clock = new FakeClock();
  const abort = new AbortController();
  const asked: ((result: IteratorResult<number>) => void)[] = [];
  let timers = 0;
  let isClosed = false;
  const items: AsyncIterable<number> = {
    [Symbol.asyncIterator]: () => ({
      next: () => new Promise((resolve) => void asked.push(resolve)),
      return: () => {
        isClosed = true;
        return Promise.resolve({ done: true, value: undefined });
      },
    }),
  };
  const counting = {
    wallMs: () => clock.wallMs(),
    monotonicMs: () => clock.monotonicMs(),
    after(delayMs: number, task: () => void) {
      timers += 1;
      return clock.after(delayMs, task);
    },
  };
  const patience = { clock: counting, limitMs: LIMIT_MS, signal: abort.signal, name: 'a piece' };
  const got: number[] = [];
  const outcome = (async () => {
    for await (const item of eachWithin(items, patience)) got.push(item);
    return 'end';
  })().catch((error: unknown) => (error as Error).name);
  return {
    clock,
    abort,
    patience,
    got,
    outcome,
    async give(item: number) {
      asked.shift()!({ done: false, value: item });
      await settle();
    },
    end: () => asked.shift()!({ done: true, value: undefined }),
    timers: () => timers,
    isClosed: () => isClosed,
  };
}

describe('items with patience for each', () => {
  it('takes a thousand pieces with one timer, and leaves none behind', async () => {
    const { clock, got, outcome, give, end, timers } = open();
    for (let item = 0; item < 1_000; item += 1) await give(item);
    expect(clock.armed).toBe(1);
    end();
    expect(await outcome).toBe('end');
    expect(got).toHaveLength(1_000);
    expect(timers()).toBe(1);
    expect(clock.armed).toBe(0);
  });

  it('waits for each as long as for the first, and no longer', async () => {
    const { clock, outcome, give, isClosed } = open();
    for (let item = 0; item < 5; item += 1) {
      await clock.advance(LIMIT_MS - 1);
      await give(item);
    }
    let name: string | null = null;
    void outcome.then((end) => (name = end));
    await clock.advance(LIMIT_MS - 1);
    expect(name).toBeNull();
    await clock.advance(1);
    expect(name).toBe('TooSlowError');
    expect(isClosed()).toBe(true);
    expect(clock.armed).toBe(0);
  });

  it('drops all of it as soon as it is not wanted any more', async () => {
    const { clock, abort, got, outcome, give, isClosed } = open();
    await give(7);
    abort.abort();
    expect(await outcome).toBe('CancelledError');
    expect(got).toEqual([7]);
    expect(isClosed()).toBe(true);
    expect(clock.armed).toBe(0);
  });
});

describe('one thing with patience', () => {
  it('is what it comes to, or too slow, or dropped, and no timer stays', async () => {
    const { clock, abort, patience } = open();
    const others = clock.armed;
    expect(await within(Promise.resolve(5), patience)).toBe(5);
    await expect(within(Promise.reject(new Error('no')), patience)).rejects.toThrow('no');
    const slow = within(new Promise(() => {}), patience).catch((error: unknown) => (error as Error).name);
    await clock.advance(LIMIT_MS);
    expect(await slow).toBe('TooSlowError');
    await settle();
    expect(clock.armed).toBeLessThanOrEqual(others);
    abort.abort();
    await expect(within(new Promise(() => {}), patience)).rejects.toThrow('a piece');
    await settle();
    expect(clock.armed).toBe(0);
  });
});
