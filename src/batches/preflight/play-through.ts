import type { CallWindow } from '#policy/hours/call-window.js';
import type { Decision } from '#policy/deciding/decision.js';
import { nextTurn, type PacingInput } from '#batches/feeding/pacing.js';

const HOUR_MS = 3_600_000;
/** A plan ends here: what would still wait then is no plan that anybody keeps to. */
export const LONGEST_PLAN_MS = 31 * 24 * HOUR_MS;

/** A batch to be played through. Instants are epoch milliseconds. */
export interface PlayedBatch {
  now: number;
  scheduledAt: number;
  window: CallWindow | null;
  maxConcurrency: number;
  /** Of the carrier; null where it takes calls as they come. */
  callsPerSecond: number | null;
  /** How long a call is expected to hold its line, ringing included. */
  callMs: number;
  /** How many numbers wait; they are called by their place, from 0. */
  numbers: number;
  /** The policy's word on a number whose turn has come. */
  decide(number: number, at: number): Decision;
}

/** One hour of the plan. */
export interface PlannedHour {
  startsAt: number;
  calls: number;
  peakConcurrency: number;
}

/** What would happen. */
export interface PlayedForecast {
  calls: number;
  hours: PlannedHour[];
  peakConcurrency: number;
  /** Null when nobody would be called. */
  firstCallAt: number | null;
  /** Null when nobody would be called, or not everybody within {@link LONGEST_PLAN_MS}. */
  finishesAt: number | null;
  /** Numbers that would still wait when the plan ends. */
  left: number;
}

/**
 * Plays a batch through on a virtual clock: the feeder's own rule of pacing, asked whenever something would change, and
 * the policy, asked about each number when its turn comes. Pure; the time it takes grows with the numbers.
 */
export function playThrough(batch: PlayedBatch): PlayedForecast {
  const { callsPerSecond, callMs } = batch;
  const gapMs = callsPerSecond === null ? 0 : 1_000 / callsPerSecond;
  const waiting = new WaitingLine(batch.numbers);
  const plan = new Plan(callMs);
  const horizon = batch.scheduledAt + LONGEST_PLAN_MS;
  let carrierFreeAt = 0;
  let now = batch.now;
  while (now < horizon) {
    const nextDueAt = waiting.nextDueAt;
    if (nextDueAt === null) break;
    const turn = nextTurn({ ...batch, now, ...plan.standingAt(now), nextDueAt });
    if (turn.release === 0) {
      const later = turn.until ?? plan.nextEndAfter(now);
      // A window that never opens lets nobody be called.
      if (later === null) break;
      now = later;
      continue;
    }
    for (const number of waiting.take(turn.release, now)) {
      const decision = batch.decide(number, now);
      if (decision.verdict === 'defer') waiting.put(number, decision.until);
      if (decision.verdict !== 'dial') continue;
      const dialledAt = Math.max(now, carrierFreeAt);
      carrierFreeAt = dialledAt + gapMs;
      plan.add(dialledAt);
    }
  }
  return plan.foresight(waiting.size);
}

/** Numbers that wait, in the order in which they are due; of those due at once, the one that stands first. */
class WaitingLine {
  readonly #line: { number: number; dueAt: number }[];
  /** Those before this place have been taken. */
  #taken = 0;

  constructor(numbers: number) {
    this.#line = Array.from({ length: numbers }, (_, number) => ({ number, dueAt: 0 }));
  }

  get size(): number {
    return this.#line.length - this.#taken;
  }

  get nextDueAt(): number | null {
    return this.#line[this.#taken]?.dueAt ?? null;
  }

  /** Takes the first of those who are due. */
  take(limit: number, now: number): number[] {
    const from = this.#taken;
    while (this.#taken - from < limit && (this.nextDueAt ?? Number.POSITIVE_INFINITY) <= now)
      this.#taken += 1;
    return this.#line.slice(from, this.#taken).map(({ number }) => number);
  }

  put(number: number, dueAt: number): void {
    let low = this.#taken;
    let high = this.#line.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const other = this.#line[middle]!;
      if (other.dueAt < dueAt || (other.dueAt === dueAt && other.number < number)) low = middle + 1;
      else high = middle;
    }
    this.#line.splice(low, 0, { number, dueAt });
  }
}

/** The calls that are foreseen so far, in the order in which they are dialled. All take the same time. */
class Plan {
  readonly #callMs: number;
  readonly #hours: PlannedHour[] = [];
  readonly #dialledAt: number[] = [];
  #peak = 0;
  /** Calls before these places are over, or have been dialled, at the instant that was asked about last. */
  #over = 0;
  #dialled = 0;

  constructor(callMs: number) {
    this.#callMs = callMs;
  }

  /** How the batch stands at an instant; asked about later and later ones. */
  standingAt(now: number): Pick<PacingInput, 'inFlight' | 'queued' | 'batchesQueued'> {
    const calls = this.#dialledAt;
    while (this.#over < calls.length && calls[this.#over]! + this.#callMs <= now) this.#over += 1;
    while (this.#dialled < calls.length && calls[this.#dialled]! <= now) this.#dialled += 1;
    const queued = calls.length - this.#dialled;
    return { inFlight: calls.length - this.#over, queued, batchesQueued: 1 };
  }

  /** When the first of the calls under way ends; null when none is. */
  nextEndAfter(now: number): number | null {
    this.standingAt(now);
    const first = this.#dialledAt[this.#over];
    return first === undefined ? null : first + this.#callMs;
  }

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

  foresight(left: number): PlayedForecast {
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

  /** Calls that hold a line when the newest is dialled: those of the latest that are not over by then. */
  #liveAt(at: number): number {
    let from = this.#over;
    while (this.#dialledAt[from]! + this.#callMs <= at) from += 1;
    return this.#dialledAt.length - from;
  }
}
