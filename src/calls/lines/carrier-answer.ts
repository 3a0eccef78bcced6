import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { CarrierError } from '#telephony/port/carrier.js';

/**
 * What a carrier answers, or a time-out after `limitMs`: an adapter that never comes back must not hold up the calls
 * of others, or the end of the process.
 */
export function answerWithin<Answer>(
  clock: Clock,
  limitMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const abort = new AbortController();
  return withTimeout((async () => ask(abort.signal))(), {
    clock,
    limitMs,
    onTimeout() {
      abort.abort();
      throw new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
    },
  });
}
