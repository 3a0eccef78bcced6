import { isUnavailable } from '#kernel/errors/errors.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type { ClockTrust } from '#kernel/work/clock-watch.js';
import type { Work } from '#kernel/work/loop.js';
import type { KnownProviders } from '#providers/choose-providers.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { LoadShedding } from '#calls/lines/load-shedding.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import { LaneTurns } from '#calls/queue/dial-lane.js';
import type { CallRow } from '#calls/record/call.js';
import type { BeginOutcome } from './begin-dialling.js';
import { CallPlacer, type CallPlacerParts } from './call-placer.js';
import { dialTransactions } from './dial-store.js';
import { leaseOf } from './held-attempt.js';

/** The dependencies of {@link Dialler}, and of the other loops of dialling. */
export interface DiallerParts extends CallPlacerParts {
  clockTrust: ClockTrust;
  loadShedding: LoadShedding;
  /** The ids of the attempts whose dial requests this process is sending. */
  attemptsInProgress: Set<string>;
  /** The rules for the policy's last check, right before dialling. */
  rules: PolicyRules;
  providers: KnownProviders;
  /** The caller id that every workspace may use. */
  defaultFromNumber: string;
  /** Runs before due calls are claimed; when it fails, no call is claimed. */
  beforeDialling(): Promise<void>;
  /** The id of this process. */
  nodeId: string;
}

/**
 * Makes phones ring: claims due dial attempts, checks each once more (`beginDialling`), and sends a dial request for
 * those that pass. The work of a loop of `CallEngine`. A request whose outcome is unknown is never repeated here;
 * `Reconciler` settles its attempt.
 */
export class Dialler implements Work<DialAttempt> {
  readonly name = 'dialler';
  /** How many calls are dialled at the same time, at most. */
  readonly concurrency = 256;
  readonly #laneTurns = new LaneTurns();
  readonly #parts: DiallerParts;
  readonly #placer: CallPlacer;
  /** When dialling last made progress or had no room for a call (monotonic milliseconds); see {@link idleMs}. */
  #busyAtMs: number;

  constructor(parts: DiallerParts) {
    this.#parts = parts;
    this.#placer = new CallPlacer(parts);
    this.#busyAtMs = parts.clock.monotonicMs();
  }

  /** Milliseconds since a call was last claimed, or since the slots or the rate limit last left no room for one. */
  get idleMs(): number {
    return this.#parts.clock.monotonicMs() - this.#busyAtMs;
  }

  /** Claims due attempts. The result of each claim decides about load shedding. */
  async claim(limit: number): Promise<DialAttempt[]> {
    const { loadShedding } = this.#parts;
    // A failed claim counts as no calls, which ends load shedding.
    let count = 0;
    try {
      const attempts = await this.#claimWithinRate(limit);
      count = attempts.length;
      return attempts;
    } finally {
      loadShedding.recordClaim(count, limit);
    }
  }

  /** Claims no more attempts than there are free slots and calls left in the rate limit. */
  async #claimWithinRate(limit: number): Promise<DialAttempt[]> {
    const { clock, slots, rateLimiter } = this.#parts;
    const room = Math.min(limit, slots.free('outbound'), rateLimiter.available);
    if (room === 0) {
      this.#busyAtMs = clock.monotonicMs();
      return [];
    }
    // Spent before the claim, so that the limiter refills while the claim is written.
    rateLimiter.spend(room);
    let claimed: DialAttempt[] = [];
    try {
      claimed = await this.#claim(room);
      return claimed;
    } finally {
      rateLimiter.giveBack(room - claimed.length);
    }
  }

  /** Claims at most `room` attempts, and takes a slot for each. Returns those that got a slot. */
  async #claim(room: number): Promise<DialAttempt[]> {
    const { store, clock, clockTrust, slots, timings, nodeId, beforeDialling } = this.#parts;
    await beforeDialling();
    const now = clock.wallMs();
    // While the clock may be wrong, scheduled calls are not claimed: they could go out early.
    const onlyWantedAtOnce = clockTrust.doubt !== null;
    const leaseUntil = now + timings.leaseMs;
    const forBatches = this.#laneTurns.forBatches(room);
    const claim = { nodeId, leaseUntil, now, limit: room, forBatches, onlyWantedAtOnce };
    const attempts = await store.write(dialTransactions.claim, claim);
    this.#laneTurns.recordClaimed(attempts.map(({ lane }) => lane));
    // Inbound calls may have taken slots during the claim.
    const withSlot = attempts.slice(0, slots.free('outbound'));
    for (const attempt of withSlot) slots.take(attempt.call_id, 'outbound');
    if (attempts.length > 0) this.#busyAtMs = clock.monotonicMs();
    for (const attempt of attempts.slice(withSlot.length)) await this.#putBack(attempt);
    return withSlot;
  }

  /** Puts back an attempt that found no slot. If that write fails, the reconciler does so when the lease expires. */
  async #putBack(attempt: DialAttempt): Promise<void> {
    const { store, clock, log, nodeId } = this.#parts;
    const { id: attemptId, due_at: dueAt } = attempt;
    const lease = leaseOf(attempt, nodeId);
    const unchanged = { attemptId, lease, dueAt, mayHaveRung: mayHaveRung(attempt) };
    await store
      .write(dialTransactions.postpone, { ...unchanged, at: clock.wallMs() })
      .catch((error: unknown) => log.warn({ err: error }, 'a call that found no slot was not put back'));
  }

  /** When the next attempt can be claimed (epoch milliseconds). */
  async nextDueAt(): Promise<number | null> {
    const { store, clock, clockTrust, slots, rateLimiter } = this.#parts;
    // Null: the loop sleeps for its longest time (1 s). The end of a call wakes it when a slot becomes free; while the
    // clock may be wrong, the due times are not compared with it.
    if (slots.free('outbound') === 0 || clockTrust.doubt) return null;
    const now = clock.wallMs();
    const dueAt = await store.read(dialTransactions.nextDueAt, { now });
    return dueAt === null ? null : Math.max(dueAt, now + rateLimiter.waitMs);
  }

  /** Dials one claimed attempt: marks it `dialling`, then sends the dial request. */
  async perform(attempt: DialAttempt): Promise<void> {
    const { attemptsInProgress, timings, clock, nodeId } = this.#parts;
    attemptsInProgress.add(attempt.id);
    try {
      // The deadline of the dial request. The lease on the attempt ends with it from now on.
      const leaseUntil = clock.wallMs() + timings.deadlineMs;
      const begun = await this.#begin(attempt, leaseUntil).catch(async (error: unknown) => {
        this.#releaseUndialled(attempt);
        if (isUnavailable(error)) await this.#takeBack(attempt, leaseUntil);
        throw error;
      });
      if (begun.kind === 'dial')
        return await this.#placer.sendDialRequest(attempt, { nodeId, leaseUntil }, begun);
      this.#releaseUndialled(attempt);
      if (begun.kind === 'refused') this.#announceRefused(begun.call);
    } finally {
      attemptsInProgress.delete(attempt.id);
    }
  }

  /**
   * Puts an attempt back that may be marked `dialling` although the answer to that write was lost. No request was sent,
   * so the call need not end as uncertain. An unmarked attempt stays claimed until its lease ends.
   */
  async #takeBack(attempt: DialAttempt, leaseUntil: number): Promise<void> {
    const { store, clock, nodeId } = this.#parts;
    const { id: attemptId, due_at: dueAt } = attempt;
    const requeued = { attemptId, lease: { nodeId, leaseUntil }, dueAt, mayHaveRung: mayHaveRung(attempt) };
    await retryWhileUnavailable(clock, () =>
      store.write(dialTransactions.postpone, { ...requeued, at: clock.wallMs() }),
    );
  }

  /** Frees the slot and the rate share of an attempt that is not dialled, for another call. */
  #releaseUndialled({ call_id: callId }: DialAttempt): void {
    const { slots, rateLimiter } = this.#parts;
    rateLimiter.giveBack(1);
    slots.release(callId);
  }

  /** Announces the end of a call that was ended instead of dialled. */
  #announceRefused(call: CallRow): void {
    const { endings, log } = this.#parts;
    if (call.ended_reason === 'damaged')
      log.error({ call_id: call.id }, 'what is kept of a call cannot be read; it is not dialled');
    endings.announce(call);
  }

  /** Marks the attempt `dialling` before the carrier is asked, unless a check refuses or defers the call. */
  async #begin(attempt: DialAttempt, deadlineAt: number): Promise<BeginOutcome> {
    const { store, carriers, txContexts, nodeId, rules, providers, defaultFromNumber } = this.#parts;
    return store.write(dialTransactions.begin, {
      attemptId: attempt.id,
      callId: attempt.call_id,
      lease: leaseOf(attempt, nodeId),
      wanted: { at: attempt.wanted_at, dueAt: attempt.due_at, expiresAt: attempt.expires_at },
      deadlineAt,
      mayHaveRung: mayHaveRung(attempt),
      carrier: carriers.outbound.name,
      defaultFromNumber,
      rules,
      // Passed only where needed: it is copied to the store's thread with every call.
      providers: providers.whenUnconfigured === 'refuse' ? providers : null,
      // Every refusal replaces the reason.
      finish: txContexts.finish(attempt.call_id, 'policy_blocked'),
    });
  }
}
