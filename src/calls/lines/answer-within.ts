import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import { CarrierError } from '#telephony/port/carrier.js';

/**
 * Sends a request about a call to its carrier by `ask`, and gives it up after `limitMs`: a carrier adapter that never
 * returns must not delay other calls or the shutdown. Used for every request of the calls module to a carrier.
 * @throws CarrierError `timeout`, with outcome `unknown`: the carrier may have done what was asked
 */
export function answerWithin<Answer>(
  clock: Clock,
  limitMs: number,
  ask: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  const abort = new AbortController();
  // The async function turns an error that the adapter throws at once into a rejection.
  return withTimeout((async () => ask(abort.signal))(), {
    clock,
    limitMs,
    onTimeout() {
      abort.abort();
      throw new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
    },
  });
}
