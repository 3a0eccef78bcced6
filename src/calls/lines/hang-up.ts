import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import type { CallRow } from '#calls/record/call.js';
import { answerWithin } from './answer-within.js';

/** The timeout of the request to the carrier. */
const HANG_UP_TIMEOUT_MS = 5_000;

/**
 * Hangs up the leg of an ended call at its carrier, for all code that ends calls with a leg. Never rejects: the end is
 * written already, and a leg that stays up is refused when it opens its audio stream. A transferred leg connects other
 * people and is never hung up.
 */
export async function hangUp(
  call: Pick<CallRow, 'id' | 'provider' | 'provider_call_id'> & Partial<Pick<CallRow, 'ended_reason'>>,
  { carriers, clock, log }: { carriers: CarrierPool; clock: Clock; log: Log },
): Promise<void> {
  const { id, provider, provider_call_id: providerCallId } = call;
  const carrier = carriers.find(provider);
  if (carrier === null || providerCallId === null || call.ended_reason === 'transferred') return;
  await answerWithin(clock, HANG_UP_TIMEOUT_MS, () => carrier.hangUp(providerCallId)).catch(
    (error: unknown) => {
      log.warn({ err: error, call_id: id }, 'carrier did not hang up');
    },
  );
}
