import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { sleep } from '#kernel/time/clock.js';
import { settle } from '#test/support/fake-clock.js';
import { VirtualClock } from '#test/support/virtual-clock.js';

const HOUR_MS = 3_600_000;

it('stands still until somebody waits', async () => {
  const time = new VirtualClock();
  let isDone = false;
  time.after(1, () => (isDone = true));
  for (let turns = 0; turns < 100; turns += 1) await settle();
  expect(isDone).toBe(false);
});

it('jumps from timer to timer while a promise is waited for', async () => {
  const time = new VirtualClock();
  const startedMs = time.monotonicMs();
  await time.during(sleep(time, HOUR_MS).then(() => sleep(time, HOUR_MS)));
  expect(time.monotonicMs() - startedMs).toBe(2 * HOUR_MS);
});

it('finds what is looked for when it is there, for all who wait at once', async () => {
  const time = new VirtualClock();
  const made: number[] = [];
  for (const atMs of [200, 400]) time.after(atMs, () => made.push(atMs));
  const once = (count: number) =>
    time.until(() => {
      expect(made).toHaveLength(count);
      return time.monotonicMs();
    });
  expect(await Promise.all([once(2), once(1)])).toEqual([400, 200]);
});

it('says what is missing when it never comes', async () => {
  const time = new VirtualClock();
  const tick = () => void time.after(HOUR_MS, tick);
  tick();
  await expect(time.until(() => Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
});

it('takes no time for what another thread owes, or the system', async () => {
  const time = new VirtualClock();
  let owed = 1;
  time.owes(() => owed);
  let isTooLate = false;
  time.after(10, () => (isTooLate = true));
  const answered = readFile(import.meta.filename).then(() => {
    owed = 0;
    return isTooLate;
  });
  expect(await time.during(answered)).toBe(false);
});

it('lets a request be answered over any number of turns before a long wait ends', async () => {
  const time = new VirtualClock();
  const order: string[] = [];
  time.after(HOUR_MS, () => order.push('timer'));
  const answer = (async () => {
    for (let turns = 0; turns < 40; turns += 1) await settle();
    order.push('answer');
  })();
  await time.during(Promise.all([answer, sleep(time, HOUR_MS)]));
  expect(order).toEqual(['answer', 'timer']);
});
