import type { Clock } from '../../kernel/time/clock.js';
import { inTime } from '../../kernel/time/in-time.js';
import { CarrierError } from '../../telephony/port/carrier.js';

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
  return inTime((async () => ask(abort.signal))(), {
    clock,
    limitMs,
    late() {
      abort.abort();
      throw new CarrierError('unknown', 'timeout', 'the carrier did not answer in time');
    },
  });
}
