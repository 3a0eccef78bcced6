import { sleep, systemClock } from '#kernel/time/clock.js';

/** Frames of sound are due as often. */
const EVERY_MS = 20;
const MOST_REPEATS = 6;

/**
 * How long a timer of 20 ms was held up at the longest while `work` ran, in milliseconds. Time in which the machine ran
 * something else is no fault of the work: no more counts than the processor time that this process has spent.
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
 * The same for several pieces of work with a turn of the event loop between them. What takes longer than `limitMs` is
 * tried again a few times: the first pays for the compiler and the collector, and a neighbour on the same processor
 * makes any of them slower.
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
