import type { Work } from '#kernel/work/loop.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { dialTransactions } from './dial-store.js';
import type { DiallerParts } from './dialler.js';

/** How long a process may take to write the end of a call that it found expired. */
const LEASE_MS = 30_000;

/**
 * Ends the calls whose time is long past: the service was down, or no slot became free. Nobody is phoned hours late.
 * The dialler never takes such a call, so that what is in time does not wait for what is not.
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
    // A wall clock that may be wrong expires no call.
    if (clockTrust.doubt) return [];
    return store.write(dialTransactions.claimExpired, { nodeId, leaseUntil: now + LEASE_MS, now, limit });
  }

  /** It is in no hurry: looking whenever the loop has slept its longest is enough. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { store, slots, txContexts, endings, nodeId, failpoint } = this.#parts;
    const { id: attemptId, call_id: callId } = attempt;
    const inVain = slots.free('outbound') === 0 ? 'no_capacity' : 'expired';
    const reason = mayHaveRung(attempt) ? 'uncertain' : inVain;
    const held = { nodeId, leaseUntil: attempt.lease_until ?? 0 };
    const finish = txContexts.finish(callId, reason);
    failpoint?.('dial.expired');
    endings.tell(await store.write(dialTransactions.failed, { attemptId, callId, held, finish }));
  }
}
