import type { Clock } from './clock.js';

/**
 * What `work` comes to, or what `onTimeout` answers (or throws) where that takes longer than `limitMs`. The work itself
 * goes on; no timer is left behind.
 */
export function withTimeout<Result, Fallback>(
  work: Promise<Result>,
  { clock, limitMs, onTimeout }: { clock: Clock; limitMs: number; onTimeout: () => Fallback },
): Promise<Result | Fallback> {
  let cancel = () => {};
  const timeUp = new Promise<void>((resolve) => (cancel = clock.after(limitMs, resolve)));
  return Promise.race([work, timeUp.then(onTimeout)]).finally(cancel);
}
