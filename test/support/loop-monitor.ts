import { sleep, systemClock } from '#kernel/time/clock.js';

/** The interval of audio frames. */
const EVERY_MS = 20;
const MOST_REPEATS = 6;

/**
 * The longest delay of a 20 ms timer while `work` runs, in milliseconds. Time in which the machine runs other
 * processes does not count: the result is at most the processor time of this process.
 */
async function longestDelayMs(work: () => unknown): Promise<number> {
  let longest = 0;
  let isWatching = true;
  const watch = async () => {
    while (isWatching) {
      const dueMs = systemClock.monotonicMs() + EVERY_MS;
      const spent = process.cpuUsage();
      await sleep(systemClock, EVERY_MS);
      const { user, system } = process.cpuUsage(spent);
      longest = Math.max(longest, Math.min(systemClock.monotonicMs() - dueMs, (user + system) / 1_000));
    }
  };
  const watched = watch();
  await work();
  isWatching = false;
  await watched;
  return longest;
}

/**
 * The same for several pieces of work with a turn of the event loop between them. Pieces above `limitMs` are
 * repeated: the first run includes compilation and garbage collection, and other processes slow any run down.
 */
export async function longestDelayOfEachMs(
  work: readonly (() => unknown)[],
  limitMs: number,
): Promise<number> {
  const each = async () => {
    for (const piece of work) {
      await piece();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  let delayMs = await longestDelayMs(each);
  for (let again = 0; again < MOST_REPEATS && delayMs >= limitMs; again += 1) {
    delayMs = Math.min(delayMs, await longestDelayMs(each));
  }
  return delayMs;
}
