import { sleep, type Clock } from '#kernel/time/clock.js';
import { isUnavailable } from '#kernel/errors/errors.js';

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 2_000;
/** The time after which the task is given up: a database that is unavailable for longer needs an operator. */
const GIVE_UP_AFTER_MS = 5 * 60_000;

/**
 * Retries a task while it fails with `unavailable`, such as for the database, for up to five minutes. The task must be
 * idempotent: the response of an attempt that succeeded may have been lost.
 * @throws the task's last `unavailable`, or its first other error
 */
export async function retryWhileUnavailable<Result>(
  clock: Clock,
  task: () => Promise<Result>,
): Promise<Result> {
  const startedMs = clock.monotonicMs();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)) {
    try {
      return await task();
    } catch (error) {
      if (!isUnavailable(error) || clock.monotonicMs() - startedMs >= GIVE_UP_AFTER_MS) throw error;
    }
    await sleep(clock, pauseMs);
  }
}
