import type { Clock } from '../../kernel/time/clock.js';
import type { CallFailpoint } from '../record/call-failpoints.js';
import type { Log } from '../../kernel/log/log.js';
import type { Work } from '../../kernel/work/loop.js';
import { persist } from '../../kernel/work/persist.js';
import type { Tallies } from '../../kernel/measuring/tallies.js';
import type { PolicyRules } from '../../policy/deciding/policy-rules.js';
import type { Store } from '../../store/store.js';
import { CarrierError, type Carrier, type PlaceRequest } from '../../telephony/port/carrier.js';
import type { CarrierPool } from '../../telephony/carrier-pool.js';
import type { CallEndings } from '../endings/call-endings.js';
import { mayHaveRung, type DialAttempt } from '../queue/dial-attempt.js';
import { LaneTurns } from '../queue/dial-lane.js';
import { answerWithin } from '../lines/carrier-answer.js';
import type { Begun } from './begin-dialling.js';
import { dialUnits } from './dial-store.js';
import type { DialTimings } from './dial-timings.js';
import type { EndedReason } from '../record/ended-reason.js';
import type { DialRush } from '../lines/dial-rush.js';
import { hangUp } from '../lines/hang-up.js';
import type { Lease } from './held-attempt.js';
import type { Moments } from '../endings/moments.js';
import type { OwnLines } from '../lines/own-lines.js';
import type { Pace } from '../lines/pace.js';
import type { Slots } from '../lines/slots.js';

/** How long it may ring. */
export const RING_TIMEOUT_SECONDS = 60;
/** How long no call goes out after the carrier has refused one for being too many, unless it says how long. */
const RATE_LIMIT_PAUSE_MS = 2_000;
/** A carrier that wants to be left alone for longer is asked after this long all the same. */
const LONGEST_PAUSE_MS = 60_000;

/** How a refusal of the carrier ends the call. */
const REFUSALS: Record<CarrierError['reason'], EndedReason> = {
  invalid_number: 'invalid_number',
  rate_limited: 'provider_rate_limited',
  refused: 'provider_refused',
  unreachable: 'provider_unreachable',
  late: 'expired',
  timeout: 'uncertain',
  server_error: 'provider_error',
};

/** The tally of what carriers were asked to dial, by carrier and result. */
export const DIAL_ATTEMPTS = 'dial_attempts';
/** What a carrier may say to it. */
export const DIAL_RESULTS = ['placed', ...Object.keys(REFUSALS), 'error'] as const;

export interface DiallerParts {
  store: Store;
  clock: Clock;
  log: Log;
  carriers: CarrierPool;
  moments: Moments;
  slots: Slots;
  pace: Pace;
  endings: CallEndings;
  timings: DialTimings;
  tallies: Tallies;
  /** Where it is kept what this process has placed. */
  lines: OwnLines;
  rush: DialRush;
  /** The attempts that this process is asking its carrier about at this moment. */
  inHand: Set<string>;
  /** What the policy goes by when it is asked for the last time. */
  rules: PolicyRules;
  /** Done before calls are taken to be dialled; where it fails, none is. */
  beforeDialling(): Promise<void>;
  nodeId: string;
  failpoint?: CallFailpoint | undefined;
}

/** A line at a carrier, and the call that it is for. */
interface Line {
  id: string;
  provider: string;
  provider_call_id: string;
}

/** The one way in which a phone is made to ring: due attempts, one carrier request each, never repeated blindly. */
export class Dialler implements Work<DialAttempt> {
  readonly name = 'dialler';
  readonly concurrency = 256;
  readonly #turns = new LaneTurns();
  readonly #parts: DiallerParts;
  #busyMs: number;

  constructor(parts: DiallerParts) {
    this.#parts = parts;
    this.#busyMs = parts.clock.monotonicMs();
  }

  /** How long no call has gone out, in milliseconds, although neither slots nor the carrier's pace were in the way. */
  get idleMs(): number {
    return this.#parts.clock.monotonicMs() - this.#busyMs;
  }

  async claim(limit: number): Promise<DialAttempt[]> {
    const { rush } = this.#parts;
    // Where it fails, nobody can be dialled: no rush.
    let count = 0;
    try {
      const attempts = await this.#take(limit);
      count = attempts.length;
      return attempts;
    } finally {
      rush.taken(count, limit);
    }
  }

  async #take(limit: number): Promise<DialAttempt[]> {
    const { store, clock, slots, pace, timings, nodeId, beforeDialling, failpoint } = this.#parts;
    const room = Math.min(limit, slots.free('outbound'), pace.available);
    if (room === 0) {
      this.#busyMs = clock.monotonicMs();
      return [];
    }
    await beforeDialling();
    const now = clock.wallMs();
    const leaseUntil = now + timings.leaseMs;
    const forBatches = this.#turns.forBatches(room);
    const attempts = await store.write(dialUnits.claim, { nodeId, leaseUntil, now, limit: room, forBatches });
    this.#turns.taken(attempts.map(({ lane }) => lane));
    // Whoever called in meanwhile has a slot that was free before.
    const dialled = attempts.slice(0, slots.free('outbound'));
    for (const attempt of dialled) slots.take(attempt.call_id, 'outbound');
    pace.spend(dialled.length);
    if (attempts.length > 0) this.#busyMs = clock.monotonicMs();
    if (dialled.length > 0) failpoint?.('dial.claimed');
    for (const attempt of attempts.slice(dialled.length)) await this.#putBack(attempt);
    return dialled;
  }

  /** Where that cannot be written, it is taken up again when the lease is over. */
  async #putBack(attempt: DialAttempt): Promise<void> {
    const { store, clock, log, nodeId } = this.#parts;
    const { id: attemptId, due_at: dueAt, lease_until: leaseUntil } = attempt;
    const held = { nodeId, leaseUntil: leaseUntil ?? 0 };
    const unchanged = { attemptId, held, dueAt, mayHaveRung: mayHaveRung(attempt) };
    await store
      .write(dialUnits.postpone, { ...unchanged, at: clock.wallMs() })
      .catch((error: unknown) => log.warn({ err: error }, 'a call that found no slot was not put back'));
  }

  async nextDueAt(): Promise<number | null> {
    const { store, clock, slots, pace } = this.#parts;
    // Without a free slot nothing is due: the end of a call nudges the loop.
    if (slots.free('outbound') === 0) return null;
    const now = clock.wallMs();
    const dueAt = await store.read(dialUnits.nextDueAt, { now });
    return dueAt === null ? null : Math.max(dueAt, now + pace.waitMs);
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { slots, endings, inHand, timings, clock, log, nodeId } = this.#parts;
    inHand.add(attempt.id);
    try {
      const deadlineAt = clock.wallMs() + timings.deadlineMs;
      const begun = await this.#begin(attempt, deadlineAt).catch((error: unknown) => {
        slots.release(attempt.call_id);
        throw error;
      });
      if (begun.kind === 'dial') return await this.#place(attempt, { nodeId, leaseUntil: deadlineAt }, begun);
      slots.release(attempt.call_id);
      if (begun.kind !== 'refused') return;
      if (begun.call.ended_reason === 'damaged')
        log.error({ call_id: attempt.call_id }, 'what is kept of a call cannot be read; it is not dialled');
      endings.tell(begun.call);
    } finally {
      inHand.delete(attempt.id);
    }
  }

  /** Writes down that the carrier is about to hear of it, unless there is a reason against it. */
  async #begin(attempt: DialAttempt, deadlineAt: number): Promise<Begun> {
    const { store, carriers, moments, nodeId, rules, failpoint } = this.#parts;
    const begun = await store.write(dialUnits.begin, {
      attemptId: attempt.id,
      callId: attempt.call_id,
      held: { nodeId, leaseUntil: attempt.lease_until ?? 0 },
      wanted: { at: attempt.wanted_at, dueAt: attempt.due_at, expiresAt: attempt.expires_at },
      deadlineAt,
      mayHaveRung: mayHaveRung(attempt),
      provider: carriers.usual.name,
      rules,
      finish: moments.finish(attempt.call_id, 'policy_blocked'),
    });
    failpoint?.('dial.begun');
    return begun;
  }

  async #place(attempt: DialAttempt, held: Lease, { to, from }: { to: string; from: string }): Promise<void> {
    const { carriers, timings, failpoint } = this.#parts;
    const carrier = carriers.usual;
    const callId = attempt.call_id;
    const request = {
      dialRef: attempt.id,
      to,
      from,
      ringTimeoutSeconds: RING_TIMEOUT_SECONDS,
      // The commit may have taken long: a request must not outlive the right to make it.
      sendBefore: held.leaseUntil - timings.requestTimeoutMs,
    };
    try {
      const { providerCallId } = await this.#ask(carrier, request);
      failpoint?.('dial.taken');
      await this.#keep(attempt, { id: callId, provider: carrier.name, provider_call_id: providerCallId });
    } catch (error) {
      this.#log(error, { call_id: callId, carrier: carrier.name });
      await this.#settleFailure(attempt, held, error);
    }
  }

  /** Writes down which line the carrier has given the call; where that cannot be done, the line is hung up. */
  async #keep({ id: attemptId, call_id: callId }: DialAttempt, line: Line): Promise<void> {
    const { store, clock, lines, failpoint } = this.#parts;
    const placed = { attemptId, callId, providerCallId: line.provider_call_id, at: clock.wallMs() };
    const writing = persist(clock, () => store.write(dialUnits.placed, placed));
    lines.placed(attemptId, { carrier: line.provider, callId }, writing);
    try {
      const { wanted } = await writing;
      failpoint?.('dial.placed');
      if (!wanted) await hangUp(line, this.#parts);
    } catch (error) {
      await hangUp(line, this.#parts);
      throw error;
    }
  }

  async #ask(carrier: Carrier, request: PlaceRequest): Promise<{ providerCallId: string }> {
    const { clock, timings, tallies } = this.#parts;
    const count = (result: string) =>
      tallies.add({ name: DIAL_ATTEMPTS, labels: { carrier: carrier.name, result } });
    try {
      const placed = await answerWithin(clock, timings.requestTimeoutMs, (signal) =>
        carrier.place(request, signal),
      );
      count('placed');
      return placed;
    } catch (error) {
      count(error instanceof CarrierError ? error.reason : 'error');
      throw error;
    }
  }

  /** Wrong numbers are in every list, and their calls tell of it: nothing that an operator could mend. */
  #log(error: unknown, of: { call_id: string; carrier: string }): void {
    const { log } = this.#parts;
    if (!(error instanceof CarrierError)) log.warn({ ...of, err: error }, 'dialling was cut short');
    else if (error.reason === 'invalid_number') log.info(of, 'carrier knows no such number');
    else log.warn({ ...of, err: error }, 'carrier did not take the call');
  }

  /** Decides once, where the failure is seen, whether the phone can have rung. */
  async #settleFailure(attempt: DialAttempt, held: Lease, error: unknown): Promise<void> {
    const { store, clock, moments, slots, pace, endings, timings, failpoint } = this.#parts;
    const attemptId = attempt.id;
    const at = clock.wallMs();
    failpoint?.('dial.not_taken');
    if (!(error instanceof CarrierError) || error.outcome === 'unknown') {
      return store.write(dialUnits.uncertain, { attemptId, held, leaseUntil: at + timings.lateAnswerMs, at });
    }
    const delayMs = pauseAfter(error);
    if (delayMs !== null && delayMs > 0) pace.pause(delayMs);
    if (delayMs !== null && at + delayMs < attempt.expires_at) {
      const again = { attemptId, held, dueAt: at + delayMs, mayHaveRung: mayHaveRung(attempt) };
      await store.write(dialUnits.postpone, { ...again, at });
    } else {
      const callId = attempt.call_id;
      const reason = mayHaveRung(attempt) ? 'uncertain' : REFUSALS[error.reason];
      const finish = moments.finish(callId, reason, { providerCode: error.code });
      endings.tell(await store.write(dialUnits.failed, { attemptId, callId, held, finish }));
    }
    slots.release(attempt.call_id);
  }
}

/** How much later it is tried again while there is time (milliseconds); null after refusals that are final. */
function pauseAfter({ reason, retryAfterMs }: CarrierError): number | null {
  if (reason === 'late') return 0;
  if (reason !== 'rate_limited') return null;
  return Math.min(retryAfterMs ?? RATE_LIMIT_PAUSE_MS, LONGEST_PAUSE_MS);
}
