import type { Work } from '../kernel/loop.js';
import type { CarrierReport } from '../telephony/carrier.js';
import type { DialAttempt } from './dial-attempt.js';
import type { DiallerParts } from './dialler.js';
import { dialUnits, type Lease } from './dial-store.js';
import type { EndedReason } from './ended-reason.js';

/** How long one settling may take before another process may try. */
const LEASE_MS = 30_000;
/** Two look-ups that find nothing must lie this far apart before a call counts as never dialled. */
const BETWEEN_LOOK_UPS_MS = 15_000;
const ENOUGH_LOOK_UPS = 2;
/** A call that could not be dialled for so long after its time is not dialled any more: people expect it at its time. */
export const DIAL_GRACE_MS = 300_000;

/**
 * Settles the attempts whose outcome nobody wrote down: the process died, or the carrier's answer was lost. The
 * carrier is asked; only where its look-up is exact may "not found" lead to dialling again.
 */
export class Reconciler implements Work<DialAttempt> {
  readonly name = 'reconciler';
  readonly concurrency = 16;
  readonly #parts: DiallerParts & { report: (report: CarrierReport) => Promise<void> };

  constructor(parts: DiallerParts & { report: (report: CarrierReport) => Promise<void> }) {
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
    const { store, clock, carrier } = this.#parts;
    const at = clock.wallMs();
    // Claimed but never written as dialling: the carrier cannot have heard of it.
    if (attempt.status === 'claimed') return this.#dialAgain(attempt);
    const found = await carrier.lookUp(attempt.id);
    if (found.found) {
      const { providerCallId, status } = found;
      await store.write(dialUnits.placed, { attemptId: attempt.id, providerCallId, at });
      // Its process died while it dialled, and the call was over before another one came: nobody talked.
      if (attempt.status === 'dialling' && status === 'completed') return this.#end(attempt, 'server_crash');
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
    if (carrier.traits.lookUp !== 'exact') return this.#end(attempt, 'uncertain');
    if (attempt.look_ups + 1 >= ENOUGH_LOOK_UPS) return this.#dialAgain(attempt);
    await store.write(dialUnits.notFound, {
      attemptId: attempt.id,
      held: this.#held(attempt),
      leaseUntil: at + BETWEEN_LOOK_UPS_MS,
      at,
    });
  }

  async #dialAgain(attempt: DialAttempt): Promise<void> {
    const { store, clock, slots, moments } = this.#parts;
    const at = clock.wallMs();
    if (at > attempt.due_at + DIAL_GRACE_MS) {
      const finish = moments.finish(attempt.call_id, 'expired');
      await store.write(dialUnits.failed, { attemptId: attempt.id, held: this.#held(attempt), finish });
    } else {
      await store.write(dialUnits.postpone, {
        attemptId: attempt.id,
        held: this.#held(attempt),
        dueAt: attempt.due_at,
        at,
      });
    }
    slots.release(attempt.call_id);
  }

  async #end(attempt: DialAttempt, reason: EndedReason): Promise<void> {
    const { store, slots, moments } = this.#parts;
    const finish = moments.finish(attempt.call_id, reason);
    await store.write(dialUnits.failed, { attemptId: attempt.id, held: this.#held(attempt), finish });
    slots.release(attempt.call_id);
  }

  #held(attempt: DialAttempt): Lease {
    return { nodeId: this.#parts.nodeId, leaseUntil: attempt.lease_until ?? 0 };
  }
}
