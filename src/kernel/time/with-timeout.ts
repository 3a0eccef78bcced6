import type { Clock } from './clock.js';

/**
 * Settles as `work` does, or after `limitMs` as `onTimeout` does, which may throw. The work itself is not cancelled.
 */
export function withTimeout<Result, Fallback>(
  work: Promise<Result>,
  { clock, limitMs, onTimeout }: { clock: Clock; limitMs: number; onTimeout: () => Fallback },
): Promise<Result | Fallback> {
  let cancel = () => {};
  const timeUp = new Promise<void>((resolve) => (cancel = clock.after(limitMs, resolve)));
  return Promise.race([work, timeUp.then(onTimeout)]).finally(cancel);
}
