import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { CarrierError } from '#telephony/port/carrier.js';

/**
 * Sends a request to a carrier by `ask`, and aborts it after `limitMs`: an adapter that never returns must not delay
 * other calls or the shutdown.
 * @throws CarrierError `timeout`, with outcome `unknown`
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
