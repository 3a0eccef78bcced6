import type { Clock } from './clock.js';

/**
 * What `work` comes to, or what `late` answers (or throws) where that takes longer than `limitMs`. The work itself goes
 * on; no timer is left behind.
 */
export function inTime<Result, Late>(
  work: Promise<Result>,
  { clock, limitMs, late }: { clock: Clock; limitMs: number; late: () => Late },
): Promise<Result | Late> {
  let cancel = () => {};
  const timeUp = new Promise<void>((resolve) => (cancel = clock.after(limitMs, resolve)));
  return Promise.race([work, timeUp.then(late)]).finally(cancel);
}
