import { sleep, type Clock } from '#kernel/time/clock.js';
import { isUnavailable } from '#kernel/errors/errors.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 2_000;
/** Whoever is away for longer has to be helped by somebody. */
const LONGEST_WAIT_MS = 5 * 60_000;

/**
 * Does what must not be lost because the database is away for a while: tries again, up to five minutes. The task must
 * be harmless when it is done twice, because the answer of a try that succeeded may have been lost.
 * @throws what the task throws for any other reason, or in the end
 */
export async function retryWhileUnavailable<Result>(
  clock: Clock,
  task: () => Promise<Result>,
): Promise<Result> {
  const startedMs = clock.monotonicMs();
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return await task();
    } catch (error) {
      if (!isUnavailable(error) || clock.monotonicMs() - startedMs >= LONGEST_WAIT_MS) throw error;
    }
    await sleep(clock, pauseMs);
  }
}
