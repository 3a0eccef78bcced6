import type { ModuleContext } from '#store/module-context.js';
import { CarrierError, type Carrier, type PlaceRequest } from '#telephony/port/carrier.js';
import type { CarrierPool } from '#telephony/carrier-pool.js';
import { retryWhileUnavailable } from '#kernel/work/retry-while-unavailable.js';
import type { CallEndings } from '#calls/endings/call-endings.js';
import type { TxContexts } from '#calls/endings/tx-contexts.js';
import { answerWithin } from '#calls/lines/answer-within.js';
import { hangUp } from '#calls/lines/hang-up.js';
import type { CallLegCache } from '#calls/lines/call-leg-cache.js';
import type { CallRateLimiter } from '#calls/lines/call-rate-limiter.js';
import type { Slots } from '#calls/lines/slots.js';
import { mayHaveRung, type DialAttempt } from '#calls/queue/dial-attempt.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { dialTransactions } from './dial-store.js';
import type { DialTimings } from './dial-timings.js';
import type { Lease } from './held-attempt.js';

/** How long a phone rings, unless the call sets its own time. */
export const RING_TIMEOUT_SECONDS = 60;
/**
 * How long dialling pauses after the carrier refused a call because of its rate limit, unless the carrier names a time.
 */
const RATE_LIMIT_PAUSE_MS = 2_000;
/** The longest pause that the service accepts from a carrier. */
const MAX_PAUSE_MS = 60_000;

/** The ended reason for each way in which a dial request can fail. */
const FAILURE_REASONS: Record<CarrierError['reason'], EndedReason> = {
  invalid_number: 'invalid_number',
  rate_limited: 'provider_rate_limited',
  refused: 'provider_refused',
  unreachable: 'provider_unreachable',
  late: 'expired',
  timeout: 'uncertain',
  server_error: 'provider_error',
};

/** The counter of dial requests, by carrier and result. */
export const DIAL_ATTEMPTS = 'dial_attempts';
/** The results that the counter distinguishes. */
export const DIAL_RESULTS = ['placed', ...Object.keys(FAILURE_REASONS), 'error'] as const;

/** The dependencies of {@link CallPlacer}. */
export interface CallPlacerParts extends Pick<ModuleContext, 'store' | 'clock' | 'log' | 'counters'> {
  carriers: CarrierPool;
  txContexts: TxContexts;
  slots: Slots;
  rateLimiter: CallRateLimiter;
  endings: CallEndings;
  timings: DialTimings;
  /** The call legs that this process has placed. */
  legs: CallLegCache;
}

/** A call leg that the carrier has accepted; `id` is the id of the call. */
interface PlacedLeg {
  id: string;
  provider: string;
  provider_call_id: string;
}

/** Sends one dial request to the carrier for each attempt of `Dialler`, and stores the outcome. */
export class CallPlacer {
  readonly #parts: CallPlacerParts;

  constructor(parts: CallPlacerParts) {
    this.#parts = parts;
  }

  /**
   * Sends the dial request of an attempt that is marked `dialling`, and stores the outcome. Numbers are E.164.
   * @param lease the lease under which this process alone may send the request
   * @throws Error if the outcome cannot be stored; `Reconciler` then settles the attempt
   */
  async sendDialRequest(
    attempt: DialAttempt,
    lease: Lease,
    { to, from, ringSeconds }: { to: string; from: string; ringSeconds: number | null },
  ): Promise<void> {
    const { carriers, timings } = this.#parts;
    const carrier = carriers.outbound;
    const callId = attempt.call_id;
    const request = {
      dialRef: attempt.id,
      to,
      from,
      ringTimeoutSeconds: ringSeconds ?? RING_TIMEOUT_SECONDS,
      // The commit may have taken long: the request must end before the lease does.
      sendBefore: lease.leaseUntil - timings.requestTimeoutMs,
    };
    try {
      const { providerCallId } = await this.#sendRequest(carrier, request);
      await this.#storeLeg(attempt, { id: callId, provider: carrier.name, provider_call_id: providerCallId });
    } catch (error) {
      this.#logFailure(error, { call_id: callId, carrier: carrier.name });
      await this.#settleFailure(attempt, lease, error);
    }
  }

  /**
   * Stores the leg's id at the carrier. If that fails, or if the call has ended meanwhile, the leg is hung up. While
   * the database is unavailable, the write is repeated, and reports find the leg in the cache.
   */
  async #storeLeg({ id: attemptId, call_id: callId }: DialAttempt, leg: PlacedLeg): Promise<void> {
    const { store, clock, legs } = this.#parts;
    const placed = { attemptId, callId, providerCallId: leg.provider_call_id, at: clock.wallMs() };
    const writing = retryWhileUnavailable(clock, () => store.write(dialTransactions.placed, placed));
    legs.add(attemptId, { carrier: leg.provider, callId }, writing);
    try {
      const { wanted } = await writing;
      if (!wanted) await hangUp(leg, this.#parts);
    } catch (error) {
      await hangUp(leg, this.#parts);
      throw error;
    }
  }

  /** Asks the carrier to place the call, and counts the result. @throws CarrierError, or another error as it is */
  async #sendRequest(carrier: Carrier, request: PlaceRequest): Promise<{ providerCallId: string }> {
    const { clock, timings, counters } = this.#parts;
    const count = (result: string) =>
      counters.add({ name: DIAL_ATTEMPTS, labels: { carrier: carrier.name, result } });
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

  /**
   * Logs a failed request. An invalid number is no warning: every list of numbers has some, the call shows the reason,
   * and an operator cannot fix it.
   */
  #logFailure(error: unknown, ofCall: { call_id: string; carrier: string }): void {
    const { log } = this.#parts;
    if (!(error instanceof CarrierError)) log.warn({ ...ofCall, err: error }, 'dialling was cut short');
    else if (error.reason === 'invalid_number') log.info(ofCall, 'carrier knows no such number');
    else log.warn({ ...ofCall, err: error }, 'carrier did not take the call');
  }

  /**
   * Stores the outcome of a failed request. If the phone may have rung, the attempt becomes `uncertain`, and
   * `Reconciler` asks the carrier. Otherwise the attempt is repeated later, or the call ends, and the slot becomes
   * free.
   */
  async #settleFailure(attempt: DialAttempt, lease: Lease, error: unknown): Promise<void> {
    const { store, clock, txContexts, slots, rateLimiter, endings, timings } = this.#parts;
    const attemptId = attempt.id;
    const at = clock.wallMs();
    if (!(error instanceof CarrierError) || error.outcome === 'unknown') {
      return store.write(dialTransactions.uncertain, {
        attemptId,
        lease,
        leaseUntil: at + timings.lateAnswerMs,
        at,
      });
    }
    const delayMs = pauseAfter(error);
    if (delayMs !== null && delayMs > 0) rateLimiter.pause(delayMs);
    if (delayMs !== null && at + delayMs < attempt.expires_at) {
      const requeued = { attemptId, lease, dueAt: at + delayMs, mayHaveRung: mayHaveRung(attempt) };
      await store.write(dialTransactions.postpone, { ...requeued, at });
    } else {
      const callId = attempt.call_id;
      const reason = mayHaveRung(attempt) ? 'uncertain' : FAILURE_REASONS[error.reason];
      const finish = txContexts.finish(callId, reason, { providerCode: error.code });
      endings.announce(await store.write(dialTransactions.failed, { attemptId, callId, lease, finish }));
    }
    slots.release(attempt.call_id);
  }
}

/** How long to wait before the attempt is repeated, in milliseconds; null after a final refusal. */
function pauseAfter({ reason, retryAfterMs }: CarrierError): number | null {
  // The request was not sent, because its deadline had passed.
  if (reason === 'late') return 0;
  if (reason !== 'rate_limited') return null;
  return Math.min(retryAfterMs ?? RATE_LIMIT_PAUSE_MS, MAX_PAUSE_MS);
}
