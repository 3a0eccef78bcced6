import { asError } from '#kernel/errors/as-error.js';
import type { Clock } from '#kernel/time/clock.js';

/** The result of {@link waitFor} for work that is not done in time. */
export const LATE = Symbol('late');

/**
 * The result of `work`, or {@link LATE} after `forMs` milliseconds; the work then goes on. No timer is left behind.
 * Used where a late model or tool makes the agent say a filler, and the wait continues.
 */
export function waitFor<T>(
  work: Promise<T>,
  forMs: number,
  clock: Pick<Clock, 'after'>,
): Promise<T | typeof LATE> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(forMs, () => resolve(LATE));
    work.then(
      (value) => {
        cancel();
        resolve(value);
      },
      (error: unknown) => {
        cancel();
        reject(asError(error));
      },
    );
  });
}
