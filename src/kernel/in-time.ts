import { asError } from './as-error.js';
import type { Clock } from './clock.js';

/**
 * What `work` comes to, or what `late` answers (or throws) where that takes longer than `limitMs`, or as soon as the
 * signal aborts. The work itself goes on; no timer and no listener is left behind.
 */
export function inTime<Result, Late>(
  work: Promise<Result>,
  { clock, limitMs, late, signal }: { clock: Clock; limitMs: number; late: () => Late; signal?: AbortSignal },
): Promise<Result | Late> {
  return new Promise((resolve, reject) => {
    const giveUp = () => {
      stop();
      try {
        resolve(late());
      } catch (error) {
        reject(asError(error));
      }
    };
    const cancel = clock.after(limitMs, giveUp);
    signal?.addEventListener('abort', giveUp, { once: true });
    const stop = () => {
      cancel();
      signal?.removeEventListener('abort', giveUp);
    };
    work.finally(stop).then(resolve, (error: unknown) => reject(asError(error)));
    if (signal?.aborted) giveUp();
  });
}
