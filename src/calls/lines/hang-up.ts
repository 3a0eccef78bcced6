import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallRow } from '#calls/record/call.js';
import { answerWithin } from './carrier-answer.js';

const HANG_UP_TIMEOUT_MS = 5_000;

/**
 * Hangs up the line of a call at its carrier. Never fails: the end of the call is written first, and a line that could
 * not be hung up is refused when it asks for its audio. The line of a transferred call belongs to other people and is
 * never hung up.
 */
export async function hangUp(
  call: Pick<CallRow, 'id' | 'provider' | 'provider_call_id'> & Partial<Pick<CallRow, 'ended_reason'>>,
  { carriers, clock, log }: { carriers: CarrierPool; clock: Clock; log: Log },
): Promise<void> {
  const { id, provider, provider_call_id: line } = call;
  const carrier = carriers.find(provider);
  if (carrier === null || line === null || call.ended_reason === 'transferred') return;
  await answerWithin(clock, HANG_UP_TIMEOUT_MS, () => carrier.hangUp(line)).catch((error: unknown) => {
    log.warn({ err: error, call_id: id }, 'carrier did not hang up');
  });
}
