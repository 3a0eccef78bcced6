import type { ScheduleStatus } from '#schedules/record/schedule-machine.js';

const GRACE_SECONDS = 300;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const EVERY_MS = 3 * HOUR_MS;

type Origin = 'schedule' | 'manual';
interface Try {
  origin: Origin;
  attempt: number;
}
/** An attempt whose call exists, and may still wait to be dialled. */
interface LiveTry extends Try {
  isWaiting: boolean;
}

/** The ends of a modelled call. */
export type ModelEnd = 'well' | 'busy' | 'no_answer' | 'cancelled' | 'never_dialled';

/** The definition of a modelled schedule: every three hours, or once. */
export interface ModelPlan {
  kind: 'one_time' | 'recurring';
  firstAt: number;
  maxOccurrences: number | null;
  maxRetries: number;
  retrySeconds: number;
}

/**
 * A minimal model of a schedule's behaviour: no rows, no queue, only the planned occurrence, the waiting retry and
 * the live attempt. Busy calls are retried, others are not.
 */
export class ScheduleModel {
  status: ScheduleStatus = 'scheduled';
  /** The planned occurrence; kept while paused. */
  planned: number | null;
  live: LiveTry | null = null;
  retry: (Try & { at: number }) | null = null;
  occurrences = 0;
  started = 0;
  ended = 0;
  /** The instants of dialled occurrences. */
  readonly dialled: number[] = [];
  maxOccurrences: number | null;
  #plannedAfter: number;
  /** The time last requested for a one-time schedule. */
  #askedAt: number;
  readonly #plan: ModelPlan;

  constructor(plan: ModelPlan, now: number) {
    this.#plan = plan;
    this.planned = plan.firstAt;
    this.#askedAt = plan.firstAt;
    this.maxOccurrences = plan.maxOccurrences;
    this.#plannedAfter = now;
  }

  get isRecurring(): boolean {
    return this.#plan.kind === 'recurring';
  }

  due(now: number): void {
    for (;;) {
      const occurrence = this.status === 'scheduled' && this.planned !== null && this.planned <= now;
      const retry = this.retry !== null && this.retry.at <= now;
      if (occurrence && (!retry || this.planned! <= this.retry!.at)) this.#dueOccurrence(this.planned!, now);
      else if (retry) this.#dueRetry(now);
      else return;
    }
  }

  /** The waiting call is dialled. */
  dial(): void {
    if (this.live) this.live.isWaiting = false;
  }

  /** True if the request is accepted. */
  pause(now: number): boolean {
    if (this.status === 'paused') return true;
    if (this.status !== 'scheduled') return false;
    this.#takeBack(now);
    this.#dropRetry();
    this.status = 'paused';
    this.#completeIfDone();
    return true;
  }

  resume(now: number): boolean {
    if (this.status === 'scheduled') return true;
    if (this.status !== 'paused') return false;
    this.status = 'scheduled';
    if (this.isRecurring) this.#planFrom(now);
    else if (isLate(this.planned!, now)) {
      this.planned = null;
      this.ended += 1;
      this.status = 'failed';
    }
    return true;
  }

  cancel(now: number): boolean {
    if (this.#isOver) {
      this.#takeBack(now);
      return true;
    }
    this.status = 'cancelled';
    this.planned = null;
    this.#dropRetry();
    this.#takeBack(now);
    return true;
  }

  trigger(): boolean {
    if ((this.status !== 'scheduled' && this.status !== 'paused') || this.live) return false;
    this.#dropRetry();
    this.live = { origin: 'manual', attempt: 1, isWaiting: true };
    this.started += 1;
    return true;
  }

  putTime(at: number, now: number): boolean {
    if (this.status === 'in_progress' || this.status === 'cancelled' || this.isRecurring) return false;
    // Requesting the same time again does not repeat a call.
    if (this.#isOver && at === this.#askedAt) return true;
    this.#askedAt = at;
    this.planned = Math.max(at, now);
    if (this.#isOver) this.status = 'scheduled';
    return true;
  }

  putMaximum(max: number | null, now: number): boolean {
    if (this.status === 'cancelled' || !this.isRecurring) return false;
    this.maxOccurrences = max;
    if (this.#isOver) {
      if (this.#isUsedUp) return true;
      this.status = 'scheduled';
    }
    this.#planFrom(now);
    return true;
  }

  end(how: ModelEnd, now: number): void {
    const last = this.live!;
    this.live = null;
    const goesOn = this.status !== 'cancelled' && this.status !== 'paused';
    if (how === 'busy' && goesOn && last.attempt <= this.#plan.maxRetries) {
      const at = now + this.#plan.retrySeconds * 1_000;
      this.retry = { origin: last.origin, attempt: last.attempt + 1, at };
      return;
    }
    this.#runOver(last, how === 'well');
    if (how === 'never_dialled' && last.origin === 'schedule' && last.attempt === 1) {
      this.occurrences -= 1;
      if (this.isRecurring && !this.#isOver && this.planned === null) this.#planFrom(now);
    }
    this.#completeIfDone();
  }

  get #isOver(): boolean {
    return this.status === 'completed' || this.status === 'failed' || this.status === 'cancelled';
  }

  get #isUsedUp(): boolean {
    return this.maxOccurrences !== null && this.occurrences >= this.maxOccurrences;
  }

  #dueOccurrence(at: number, now: number): void {
    const isSuperseded = this.isRecurring && !this.#isUsedUp && next(at) <= now;
    const isMissed = isLate(at, now) || isSuperseded;
    this.#plannedAfter = Math.max(this.#plannedAfter, at);
    this.planned = null;
    if (!this.isRecurring || (!isMissed && !this.live)) this.#dropRetry();
    if (isMissed || this.live) {
      if (isMissed || !this.isRecurring) this.ended += 1;
      if (!this.isRecurring) this.status = 'failed';
    } else {
      this.live = { origin: 'schedule', attempt: 1, isWaiting: true };
      this.started += 1;
      this.occurrences += 1;
      this.dialled.push(at);
      if (!this.isRecurring) this.status = 'in_progress';
    }
    if (this.isRecurring && !this.#isUsedUp) this.planned = next(at);
    this.#completeIfDone();
  }

  #dueRetry(now: number): void {
    const retry = this.retry!;
    this.retry = null;
    if (isLate(retry.at, now) || this.live) this.#runOver(retry, false);
    else this.live = { origin: retry.origin, attempt: retry.attempt, isWaiting: true };
    this.#completeIfDone();
  }

  #runOver(last: Try, isWell: boolean): void {
    this.ended += 1;
    if (!this.isRecurring && last.origin === 'schedule' && this.status !== 'cancelled')
      this.status = isWell ? 'completed' : 'failed';
  }

  /** Takes back a call that was not dialled yet. */
  #takeBack(now: number): void {
    if (this.live?.isWaiting) this.end('never_dialled', now);
  }

  #dropRetry(): void {
    const retry = this.retry;
    this.retry = null;
    if (retry) this.#runOver(retry, false);
  }

  #planFrom(now: number): void {
    this.#plannedAfter = Math.max(this.#plannedAfter, now);
    this.planned = this.#isUsedUp ? null : next(this.#plannedAfter);
    this.#completeIfDone();
  }

  #completeIfDone(): void {
    const isGoing = this.status === 'scheduled' || this.status === 'paused';
    if (this.isRecurring && isGoing && this.planned === null && !this.live && !this.retry)
      this.status = 'completed';
  }
}

function next(after: number): number {
  return (Math.floor(after / EVERY_MS) + 1) * EVERY_MS;
}

function isLate(at: number, now: number): boolean {
  return Math.floor((now - at) / 1_000) > GRACE_SECONDS;
}

/** Clock steps for tests: small ones, some across several occurrences, and jumps in both directions. */
export const CLOCK_STEPS_MS = [
  1_003,
  61_007,
  299_011,
  EVERY_MS / 2 + 13,
  EVERY_MS + 17,
  3 * EVERY_MS + 23,
  DAY_MS + 29,
  HOUR_MS,
  -HOUR_MS,
  -DAY_MS,
];
