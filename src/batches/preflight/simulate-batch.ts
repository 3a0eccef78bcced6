import type { CallWindow } from '#policy/hours/call-window.js';
import type { Decision } from '#policy/deciding/decision.js';
import { nextStep, type PacingInput } from '#batches/dispatch/pacing.js';

const HOUR_MS = 3_600_000;
/** The length of the forecast from the time of the batch; later calls are not forecast. */
export const FORECAST_MS = 31 * 24 * HOUR_MS;

/** A batch to simulate. Instants are epoch milliseconds. */
export interface SimulatedBatch {
  now: number;
  scheduledAt: number;
  window: CallWindow | null;
  maxConcurrency: number;
  /** The most calls that are started per second. */
  callsPerSecond: number;
  /** Expected duration of a call, including ringing. */
  callMs: number;
  /** Number of recipients; they are named by their index. */
  numbers: number;
  /** The policy's decision on a number whose turn has come at `at`. */
  decide(number: number, at: number): Decision;
}

/** One hour of the plan. */
export interface PlannedHour {
  startsAt: number;
  calls: number;
  peakConcurrency: number;
}

/** The result of a simulation. */
export interface Simulation {
  calls: number;
  hours: PlannedHour[];
  peakConcurrency: number;
  /** Null if no call is made. */
  firstCallAt: number | null;
  /** Null if no call is made, or not all of them within {@link FORECAST_MS}. */
  finishesAt: number | null;
  /** How many numbers still wait when the forecast ends. */
  left: number;
}

/**
 * Simulates a batch on a virtual clock, for its preflight: with the dispatcher's pacing rule, and the policy's decision
 * on each number when its turn comes. Each step dials some numbers, or moves the clock to the next instant at which
 * numbers may be dialled.
 */
export function simulateBatch(batch: SimulatedBatch): Simulation {
  const { callsPerSecond, callMs } = batch;
  const gapMs = 1_000 / callsPerSecond;
  const waiting = new WaitingNumbers(batch.numbers);
  const plan = new Plan(callMs);
  const horizon = batch.scheduledAt + FORECAST_MS;
  // When the rate limit allows the next call.
  let carrierFreeAt = 0;
  let now = batch.now;
  while (now < horizon) {
    const nextDueAt = waiting.nextDueAt;
    if (nextDueAt === null) break;
    const step = nextStep({ ...batch, now, ...plan.advanceTo(now), nextDueAt });
    if (step.release === 0) {
      const nextAt = step.until ?? plan.nextEndAfter(now);
      // No call is in progress, and the window never opens.
      if (nextAt === null) break;
      now = nextAt;
      continue;
    }
    for (const number of waiting.take(step.release, now)) {
      const decision = batch.decide(number, now);
      if (decision.verdict === 'defer') waiting.put(number, decision.until);
      // A skipped number is never dialled, a deferred number waits again.
      if (decision.verdict !== 'dial') continue;
      const dialledAt = Math.max(now, carrierFreeAt);
      carrierFreeAt = dialledAt + gapMs;
      plan.add(dialledAt);
    }
  }
  return plan.result(waiting.size);
}

/** Waiting numbers ordered by due time, then by index. */
class WaitingNumbers {
  readonly #queue: { number: number; dueAt: number }[];
  /** Entries before this index have been taken. */
  #taken = 0;

  constructor(numbers: number) {
    this.#queue = Array.from({ length: numbers }, (_, number) => ({ number, dueAt: 0 }));
  }

  get size(): number {
    return this.#queue.length - this.#taken;
  }

  get nextDueAt(): number | null {
    return this.#queue[this.#taken]?.dueAt ?? null;
  }

  /** Takes the first `limit` numbers that are due. */
  take(limit: number, now: number): number[] {
    const from = this.#taken;
    while (this.#taken - from < limit && (this.nextDueAt ?? Number.POSITIVE_INFINITY) <= now)
      this.#taken += 1;
    return this.#queue.slice(from, this.#taken).map(({ number }) => number);
  }

  /** Adds a number that was deferred, at its place in the order. */
  put(number: number, dueAt: number): void {
    let low = this.#taken;
    let high = this.#queue.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const entry = this.#queue[middle]!;
      if (entry.dueAt < dueAt || (entry.dueAt === dueAt && entry.number < number)) low = middle + 1;
      else high = middle;
    }
    this.#queue.splice(low, 0, { number, dueAt });
  }
}

/** Simulated calls in the order of dialling. All have the same duration. */
class Plan {
  readonly #callMs: number;
  readonly #hours: PlannedHour[] = [];
  readonly #dialledAt: number[] = [];
  #peak = 0;
  /** How many calls were over at the last instant of {@link advanceTo}. */
  #over = 0;
  /** How many calls had been dialled by then; the others are planned for later instants. */
  #dialled = 0;

  constructor(callMs: number) {
    this.#callMs = callMs;
  }

  /** Advances to an instant, which must not be earlier than the last instant, and returns the pacing input there. */
  advanceTo(now: number): Pick<PacingInput, 'inFlight' | 'queued' | 'batchesQueued'> {
    const calls = this.#dialledAt;
    while (this.#over < calls.length && calls[this.#over]! + this.#callMs <= now) this.#over += 1;
    while (this.#dialled < calls.length && calls[this.#dialled]! <= now) this.#dialled += 1;
    const queued = calls.length - this.#dialled;
    // In flight, as for the dispatcher: also the calls that still wait for the rate limit.
    return { inFlight: calls.length - this.#over, queued, batchesQueued: 1 };
  }

  /** When the first call in progress ends; null if there is none. */
  nextEndAfter(now: number): number | null {
    this.advanceTo(now);
    const first = this.#dialledAt[this.#over];
    return first === undefined ? null : first + this.#callMs;
  }

  /** Adds a call that is dialled at an instant, not earlier than the calls before. */
  add(at: number): void {
    this.#dialledAt.push(at);
    const live = this.#liveAt(at);
    const startsAt = Math.floor(at / HOUR_MS) * HOUR_MS;
    let hour = this.#hours.at(-1);
    if (hour?.startsAt !== startsAt) {
      hour = { startsAt, calls: 0, peakConcurrency: 0 };
      this.#hours.push(hour);
    }
    hour.calls += 1;
    hour.peakConcurrency = Math.max(hour.peakConcurrency, live);
    this.#peak = Math.max(this.#peak, live);
  }

  /** The result of the simulation. @param left how many numbers still wait */
  result(left: number): Simulation {
    const first = this.#dialledAt[0];
    const last = this.#dialledAt.at(-1);
    return {
      calls: this.#dialledAt.length,
      hours: this.#hours,
      peakConcurrency: this.#peak,
      firstCallAt: first === undefined ? null : Math.floor(first),
      finishesAt: last === undefined || left > 0 ? null : Math.ceil(last + this.#callMs),
      left,
    };
  }

  /** Concurrent calls when the newest is dialled. */
  #liveAt(at: number): number {
    let from = this.#over;
    while (this.#dialledAt[from]! + this.#callMs <= at) from += 1;
    return this.#dialledAt.length - from;
  }
}
