import type { Work } from '#kernel/work/loop.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { dialTransactions } from './dial-store.js';
import type { DiallerParts } from './dialler.js';

/** The lease for writing the end of an expired call. */
const LEASE_MS = 30_000;

/**
 * Ends calls that were not dialled in time because the service was down or no slot was free: no phone rings hours late.
 * The dialler never claims such a call, so expired calls do not delay others.
 */
export class DialExpiry implements Work<DialAttempt> {
  readonly name = 'dial-expiry';
  readonly concurrency = 100;
  readonly #parts: DiallerParts & { endings: CallEndings };

  constructor(parts: DiallerParts & { endings: CallEndings }) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<DialAttempt[]> {
    const { store, clock, clockTrust, nodeId } = this.#parts;
    const now = clock.wallMs();
    // While the wall clock may be wrong, no call expires.
    if (clockTrust.doubt) return [];
    return store.write(dialTransactions.claimExpired, { nodeId, leaseUntil: now + LEASE_MS, now, limit });
  }

  /** Expiry is not urgent: the loop's longest sleep is soon enough. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { store, slots, txContexts, endings, nodeId } = this.#parts;
    const { id: attemptId, call_id: callId } = attempt;
    const inVain = slots.free('outbound') === 0 ? 'no_capacity' : 'expired';
    const reason = mayHaveRung(attempt) ? 'uncertain' : inVain;
    const held = { nodeId, leaseUntil: attempt.lease_until ?? 0 };
    const finish = txContexts.finish(callId, reason);
    endings.tell(await store.write(dialTransactions.failed, { attemptId, callId, held, finish }));
  }
}
