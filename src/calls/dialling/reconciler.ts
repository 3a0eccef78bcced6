import type { Work } from '#kernel/work/loop.js';
import type { Carrier, CarrierReport, LookUp } from '#telephony/port/carrier.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import { hangUp } from '#calls/lines/hang-up.js';
import { carrierTransactions } from '#calls/reports/carrier-store.js';
import { DIAL_GRACE_MS } from '#calls/queue/dial-queue.js';
import type { DiallerParts } from './dialler.js';
import { dialTransactions } from './dial-store.js';
import { leaseOf, type Lease } from './held-attempt.js';

/** The lease for settling one attempt; after it, another process may try. */
const LEASE_MS = 30_000;
/** How many look-ups must find nothing before a call counts as never dialled: a carrier may show a new call late. */
const REQUIRED_LOOK_UPS = 2;

/** The dependencies of {@link Reconciler}. */
export interface ReconcilerParts extends DiallerParts {
  /** Applies a status that a look-up has found, like a report from the carrier. */
  report(report: CarrierReport): Promise<void>;
}

/**
 * Settles dial attempts without a stored outcome: the process died, or the carrier's answer was lost. It asks the
 * carrier about each attempt whose dial request may have been sent. "Not found" leads to another dial request only if
 * the carrier's look-up is exact, or if the carrier recognises a repeated request. The work of a loop of `CallEngine`.
 */
export class Reconciler implements Work<DialAttempt> {
  readonly name = 'reconciler';
  /** High, so that a carrier without an answer does not delay the other attempts. */
  readonly concurrency = 256;
  readonly #parts: ReconcilerParts;

  constructor(parts: ReconcilerParts) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<DialAttempt[]> {
    const { store, clock, nodeId } = this.#parts;
    const now = clock.wallMs();
    return store.write(dialTransactions.claimUnsettled, { nodeId, leaseUntil: now + LEASE_MS, now, limit });
  }

  async nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(dialTransactions.nextUnsettledAt, {});
  }

  /** Settles one attempt: continues the call that the carrier has, dials again, or gives the attempt up. */
  async perform(attempt: DialAttempt): Promise<void> {
    const { store, clock, carriers, attemptsInProgress } = this.#parts;
    // The wall clock has jumped past the lease; this process is still sending the request.
    if (attemptsInProgress.has(attempt.id)) return;
    // The attempt was claimed but not marked `dialling`: no request was sent under this claim.
    if (attempt.status === 'claimed') return this.#dialAgain(attempt, mayHaveRung(attempt));
    // The carrier that was asked may no longer be the carrier of outbound calls.
    const provider = await store.read(carrierTransactions.providerOf, { callId: attempt.call_id });
    const carrier = carriers.find(provider);
    if (carrier === null) return this.#giveUp(attempt, 'uncertain');
    const found = await this.#lookUp(carrier, attempt).catch((error: unknown) => {
      // A carrier that does not answer is asked again while the outcome matters.
      if (clock.wallMs() <= lastLookUpAt(attempt)) throw error;
      return null;
    });
    if (found === null) return this.#giveUp(attempt, 'uncertain');
    if (found.found) return this.#attach(carrier, attempt, found);
    // A repeated dial request either finds the call or places it: the carrier ignores a reference that it knows.
    if (carrier.traits.idempotentPlace && carrier === carriers.outbound)
      return this.#dialAgain(attempt, true);
    if (carrier.traits.lookUp !== 'exact') return this.#giveUp(attempt, 'uncertain');
    if (attempt.look_ups + 1 >= REQUIRED_LOOK_UPS) return this.#dialAgain(attempt, false);
    await this.#waitForNextLookUp(attempt);
  }

  /**
   * Asks the carrier about an attempt by its reference. Nothing is found at a carrier that offers no look-up.
   * @throws CarrierError
   */
  async #lookUp(carrier: Carrier, attempt: DialAttempt): Promise<LookUp> {
    const { clock, timings } = this.#parts;
    if (carrier.traits.lookUp === 'none') return { found: false };
    return answerWithin(clock, timings.requestTimeoutMs, () => carrier.lookUp(attempt.id, null));
  }

  /** Stores the leg that the carrier has placed; the call continues with the status that the carrier reports. */
  async #attach(carrier: Carrier, attempt: DialAttempt, found: LookUp & { found: true }): Promise<void> {
    const { store, clock, endings } = this.#parts;
    const { providerCallId, status } = found;
    const { id: attemptId, call_id: callId } = attempt;
    const at = clock.wallMs();
    const { wanted } = await store.write(dialTransactions.placed, { attemptId, callId, providerCallId, at });
    if (!wanted) {
      const leg = { id: callId, provider: carrier.name, provider_call_id: providerCallId };
      return hangUp(leg, this.#parts);
    }
    // The process died while dialling, and the call was over before another process found it: no talk took place.
    if (attempt.status === 'dialling' && status === 'completed') {
      const precondition = { statuses: ['connecting'] } as const;
      if (await endings.endIf(callId, precondition, 'server_crash')) return;
    }
    const report = { carrier: carrier.name, dialRef: attemptId, providerCallId, status };
    await this.#parts.report({ ...report, code: null, hungUpBy: null, at });
  }

  /** Counts a look-up that found nothing, and puts off the next one. */
  async #waitForNextLookUp(attempt: DialAttempt): Promise<void> {
    const { store, clock, timings } = this.#parts;
    const at = clock.wallMs();
    await store.write(dialTransactions.notFound, {
      attemptId: attempt.id,
      lease: this.#leaseOf(attempt),
      leaseUntil: at + timings.betweenLookUpsMs,
      at,
    });
  }

  /**
   * Puts an attempt back into the dial queue, or gives it up if it has expired.
   * @param mayHaveRungBefore true if the phone may have rung for an earlier request
   */
  async #dialAgain(attempt: DialAttempt, mayHaveRungBefore: boolean): Promise<void> {
    const { store, clock, slots } = this.#parts;
    const { id: attemptId, call_id: callId, due_at: dueAt } = attempt;
    const at = clock.wallMs();
    if (at > attempt.expires_at) return this.#giveUp(attempt, mayHaveRungBefore ? 'uncertain' : 'expired');
    const requeued = { attemptId, lease: this.#leaseOf(attempt), dueAt, mayHaveRung: mayHaveRungBefore, at };
    await store.write(dialTransactions.postpone, requeued);
    slots.release(callId);
  }

  /** Ends an attempt and its call. */
  async #giveUp(attempt: DialAttempt, reason: 'uncertain' | 'expired'): Promise<void> {
    const { store, slots, txContexts, endings } = this.#parts;
    const { id: attemptId, call_id: callId } = attempt;
    const finish = txContexts.finish(callId, reason);
    const lease = this.#leaseOf(attempt);
    endings.announce(await store.write(dialTransactions.failed, { attemptId, callId, lease, finish }));
    slots.release(callId);
  }

  /** The lease under which this process has claimed an attempt. */
  #leaseOf(attempt: DialAttempt): Lease {
    return leaseOf(attempt, this.#parts.nodeId);
  }
}

/**
 * The last instant (epoch milliseconds) at which a carrier without an answer is asked again about a sent request: as
 * long as the phone may still ring. The call itself may expire much later.
 */
function lastLookUpAt({ dial_deadline_at: deadlineAt, expires_at: expiresAt }: DialAttempt): number {
  return Math.min(expiresAt, deadlineAt === null ? expiresAt : deadlineAt + DIAL_GRACE_MS);
}
