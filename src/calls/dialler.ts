import type { Clock } from '../kernel/clock.js';
import type { Log } from '../kernel/log.js';
import type { Work } from '../kernel/loop.js';
import type { Store } from '../store/store.js';
import { CarrierError, type Carrier } from '../telephony/carrier.js';
import type { CallEndings } from './call-endings.js';
import type { CallRow } from './call.js';
import type { DialAttempt } from './dial-attempt.js';
import { answerWithin } from './carrier-answer.js';
import { dialUnits, type Lease } from './dial-store.js';
import type { EndedReason } from './ended-reason.js';
import { hangUp } from './hang-up.js';
import type { Moments } from './moments.js';
import type { Slots } from './slots.js';

/** How long a claimed attempt is nobody else's. */
const LEASE_MS = 45_000;
/** From "about to dial" until the carrier must have heard of it. */
const DIAL_DEADLINE_MS = 30_000;
/** How long the carrier may take to answer a request. */
export const REQUEST_TIMEOUT_MS = 10_000;
/** How long it may ring. */
export const RING_TIMEOUT_SECONDS = 60;
/** How long the reconciler leaves an uncertain attempt to a late answer before it asks. */
const LATE_ANSWER_MS = 5_000;
const RATE_LIMIT_PAUSE_MS = 2_000;

/** How a refusal of the carrier ends the call. */
const REFUSALS: Record<CarrierError['reason'], EndedReason> = {
  invalid_number: 'invalid_number',
  rate_limited: 'provider_rate_limited',
  refused: 'provider_refused',
  unreachable: 'provider_unreachable',
  timeout: 'uncertain',
  server_error: 'provider_error',
};

export interface DiallerParts {
  store: Store;
  clock: Clock;
  log: Log;
  carrier: Carrier;
  moments: Moments;
  slots: Slots;
  endings: CallEndings;
  nodeId: string;
}

/** The one way in which a phone is made to ring: due attempts, one carrier request each, never repeated blindly. */
export class Dialler implements Work<DialAttempt> {
  readonly name = 'dialler';
  readonly concurrency = 64;
  readonly #parts: DiallerParts;

  constructor(parts: DiallerParts) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<DialAttempt[]> {
    const { store, clock, slots, nodeId } = this.#parts;
    const room = Math.min(limit, slots.free);
    if (room === 0) return [];
    const now = clock.wallMs();
    const attempts = await store.write(dialUnits.claim, {
      nodeId,
      leaseUntil: now + LEASE_MS,
      now,
      limit: room,
    });
    for (const attempt of attempts) slots.take(attempt.call_id);
    return attempts;
  }

  async nextDueAt(): Promise<number | null> {
    // Without a free slot nothing is due: the end of a call nudges the loop.
    return this.#parts.slots.free === 0 ? null : this.#parts.store.read(dialUnits.nextDueAt, {});
  }

  async perform(attempt: DialAttempt): Promise<void> {
    const { store, clock, carrier, moments, slots, nodeId } = this.#parts;
    const now = clock.wallMs();
    const deadlineAt = now + DIAL_DEADLINE_MS;
    const call = await store.write(dialUnits.begin, {
      attemptId: attempt.id,
      callId: attempt.call_id,
      held: { nodeId, leaseUntil: attempt.lease_until ?? 0 },
      deadlineAt,
      provider: carrier.name,
      moment: moments.now(attempt.call_id),
    });
    if (!call) return slots.release(attempt.call_id);
    const held = { nodeId, leaseUntil: deadlineAt };
    // The commit may have taken long: past this point a request could outlive the right to make it.
    if (clock.wallMs() > deadlineAt - REQUEST_TIMEOUT_MS) {
      slots.release(attempt.call_id);
      return store.write(dialUnits.postpone, { attemptId: attempt.id, held, dueAt: now, at: clock.wallMs() });
    }
    await this.#place(attempt, held, call);
  }

  async #place(attempt: DialAttempt, held: Lease, call: CallRow): Promise<void> {
    const { store, clock, carrier, log } = this.#parts;
    const request = {
      dialRef: attempt.id,
      to: call.to_phone,
      from: call.from_phone,
      ringTimeoutSeconds: RING_TIMEOUT_SECONDS,
    };
    try {
      const { providerCallId } = await answerWithin(clock, REQUEST_TIMEOUT_MS, (signal) =>
        carrier.place(request, signal),
      );
      const placed = { attemptId: attempt.id, callId: call.id, providerCallId, at: clock.wallMs() };
      const { wanted } = await store.write(dialUnits.placed, placed);
      if (!wanted) await hangUp({ ...call, provider_call_id: providerCallId }, this.#parts);
    } catch (error) {
      log.warn({ err: error, call_id: call.id, carrier: carrier.name }, 'carrier did not take the call');
      await this.#settleFailure(attempt, held, error);
    }
  }

  /** Decides once, where the failure is seen, whether the phone can have rung. */
  async #settleFailure(attempt: DialAttempt, held: Lease, error: unknown): Promise<void> {
    const { store, clock, moments, slots, endings } = this.#parts;
    const at = clock.wallMs();
    if (!(error instanceof CarrierError) || error.outcome === 'unknown') {
      return store.write(dialUnits.uncertain, {
        attemptId: attempt.id,
        held,
        leaseUntil: at + LATE_ANSWER_MS,
        at,
      });
    }
    if (error.reason === 'rate_limited' && at + RATE_LIMIT_PAUSE_MS < attempt.expires_at) {
      await store.write(dialUnits.postpone, {
        attemptId: attempt.id,
        held,
        dueAt: at + RATE_LIMIT_PAUSE_MS,
        at,
      });
    } else {
      const callId = attempt.call_id;
      const finish = moments.finish(callId, REFUSALS[error.reason], { providerCode: error.code });
      endings.tell(await store.write(dialUnits.failed, { attemptId: attempt.id, callId, held, finish }));
    }
    slots.release(attempt.call_id);
  }
}
