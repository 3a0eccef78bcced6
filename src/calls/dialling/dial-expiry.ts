import type { Work } from '#kernel/work/loop.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { dialTransactions } from './dial-store.js';
import type { DiallerParts } from './dialler.js';
import { leaseOf } from './held-attempt.js';

/** The lease under which one process writes the end of an expired call. */
const LEASE_MS = 30_000;

/**
 * Ends calls that were not dialled before their expiry, for example because the service was down or no slot was free,
 * so that no phone rings hours late. The work of a loop of `CallEngine`. `Dialler` never claims an expired call.
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

  /** Null: expiry is not urgent, so the loop's longest sleep (1 s) is soon enough. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { store, slots, txContexts, endings, nodeId } = this.#parts;
    const { id: attemptId, call_id: callId } = attempt;
    // `uncertain`: an earlier dial request of the attempt may have reached the phone.
    const undialledReason = slots.free('outbound') === 0 ? 'no_capacity' : 'expired';
    const reason = mayHaveRung(attempt) ? 'uncertain' : undialledReason;
    const lease = leaseOf(attempt, nodeId);
    const finish = txContexts.finish(callId, reason);
    endings.announce(await store.write(dialTransactions.failed, { attemptId, callId, lease, finish }));
  }
}
