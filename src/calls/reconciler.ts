import type { Work } from '../kernel/loop.js';
import type { CarrierReport } from '../telephony/carrier.js';
import type { DialAttempt } from './dial-attempt.js';
import { answerWithin } from './carrier-answer.js';
import { REQUEST_TIMEOUT_MS, type DiallerParts } from './dialler.js';
import { dialUnits, type Lease } from './dial-store.js';

/** How long one settling may take before another process may try. */
const LEASE_MS = 30_000;
/** Two look-ups that find nothing must lie this far apart before a call counts as never dialled. */
const BETWEEN_LOOK_UPS_MS = 15_000;
const ENOUGH_LOOK_UPS = 2;

export interface ReconcilerParts extends DiallerParts {
  report(report: CarrierReport): Promise<void>;
}

/**
 * Settles the attempts whose outcome nobody wrote down: the process died, or the carrier's answer was lost. The
 * carrier is asked; only where its look-up is exact may "not found" lead to dialling again.
 */
export class Reconciler implements Work<DialAttempt> {
  readonly name = 'reconciler';
  readonly concurrency = 16;
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<DialAttempt[]> {
    const { store, clock, nodeId } = this.#parts;
    const now = clock.wallMs();
    return store.write(dialUnits.claimUnsettled, { nodeId, leaseUntil: now + LEASE_MS, now, limit });
  }

  async nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(dialUnits.nextUnsettledAt, {});
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { store, clock, carrier, endings } = this.#parts;
    // Claimed but never written as dialling: the carrier cannot have heard of it.
    if (attempt.status === 'claimed') return this.#dialAgain(attempt);
    const found = await answerWithin(clock, REQUEST_TIMEOUT_MS, () => carrier.lookUp(attempt.id));
    const at = clock.wallMs();
    if (found.found) {
      const { providerCallId, status } = found;
      const callId = attempt.call_id;
      await store.write(dialUnits.placed, { attemptId: attempt.id, callId, providerCallId, at });
      // Its process died while it dialled, and the call was over before another one came: nobody talked.
      if (attempt.status === 'dialling' && status === 'completed') {
        await endings.end(callId, 'server_crash');
        return;
      }
      return this.#parts.report({
        carrier: carrier.name,
        dialRef: attempt.id,
        providerCallId,
        status,
        code: null,
        hungUpBy: null,
        at,
      });
    }
    if (carrier.traits.lookUp !== 'exact') return this.#giveUp(attempt, 'uncertain');
    if (attempt.look_ups + 1 >= ENOUGH_LOOK_UPS) return this.#dialAgain(attempt);
    await store.write(dialUnits.notFound, {
      attemptId: attempt.id,
      held: this.#held(attempt),
      leaseUntil: at + BETWEEN_LOOK_UPS_MS,
      at,
    });
  }

  async #dialAgain(attempt: DialAttempt): Promise<void> {
    const { store, clock, slots } = this.#parts;
    const { id: attemptId, call_id: callId, due_at: dueAt } = attempt;
    const at = clock.wallMs();
    if (at > attempt.expires_at) return this.#giveUp(attempt, 'expired');
    await store.write(dialUnits.postpone, { attemptId, held: this.#held(attempt), dueAt, at });
    slots.release(callId);
  }

  async #giveUp(attempt: DialAttempt, reason: 'uncertain' | 'expired'): Promise<void> {
    const { store, slots, moments, endings } = this.#parts;
    const { id: attemptId, call_id: callId } = attempt;
    const finish = moments.finish(callId, reason);
    const held = this.#held(attempt);
    endings.tell(await store.write(dialUnits.failed, { attemptId, callId, held, finish }));
    slots.release(callId);
  }

  #held(attempt: DialAttempt): Lease {
    return { nodeId: this.#parts.nodeId, leaseUntil: attempt.lease_until ?? 0 };
  }
}
