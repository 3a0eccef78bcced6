import type { CallRow } from '../../calls/record/call.js';
import type { CallDefaults } from '../../calls/requests/draft-call.js';
import type { Clock } from '../../kernel/clock.js';
import { isUnavailable } from '../../kernel/errors.js';
import type { Failpoint } from '../../kernel/failpoint.js';
import type { Log } from '../../kernel/log.js';
import { Loop, type Work } from '../../kernel/loop.js';
import type { Store } from '../../store/store.js';
import { schedulerUnits, type DueExecution } from './scheduler-store.js';

/** How long an execution that was taken is nobody else's. */
const LEASE_MS = 15_000;
/** An execution that could not be run for so long after its time is given up. */
const GIVE_UP_AFTER_MS = 300_000;
/** Plans that are made anew in one go when the time-zone data has changed. */
const REPLANNED_AT_ONCE = 100;
/** A loop that has not turned for so long is dead. */
const LONGEST_TURN_MS = 10_000;

export interface SchedulerParts {
  store: Store;
  clock: Clock;
  log: Log;
  defaults: CallDefaults;
  timeZoneVersion: string;
  nudgeDialler(dueAt: number): void;
  failpoint?: Failpoint | undefined;
}

/** What is due becomes calls, and what became of the calls comes back to their schedules. */
export class Scheduler {
  readonly #parts: SchedulerParts;
  readonly #due: Loop<DueExecution>;
  readonly #ends: Loop<string>;
  readonly #dueWork: DueWork;

  constructor(parts: SchedulerParts) {
    this.#parts = parts;
    const nudge = (dueAt?: number) => this.nudge(dueAt);
    this.#dueWork = new DueWork({ ...parts, nudge });
    this.#due = new Loop(this.#dueWork, parts);
    this.#ends = new Loop(new EndWork({ ...parts, nudge }), parts);
  }

  start(): void {
    this.#dueWork.turned();
    this.#due.start();
    this.#ends.start();
    void this.#recover().catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'schedules were not brought up to date'),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#due.stop(), this.#ends.stop()]);
  }

  /** Something is planned, at `dueAt` or now. */
  nudge(dueAt?: number): void {
    this.#due.nudge(dueAt);
  }

  /** A call that somebody owns is over; the row says it too. */
  callEnded(call: Pick<CallRow, 'execution_id'>): void {
    if (call.execution_id !== null) this.#ends.nudge();
  }

  /** Whether the loop turns, and how long the oldest execution has been due, in milliseconds. */
  async pulse(): Promise<{ isAlive: boolean; lagMs: number }> {
    const { store, clock } = this.#parts;
    const dueAt = await store.read(schedulerUnits.nextDueAt, {});
    const { lastTurnMs } = this.#dueWork;
    const isAlive = lastTurnMs === null || clock.monotonicMs() - lastTurnMs <= LONGEST_TURN_MS;
    return { isAlive, lagMs: dueAt === null ? 0 : Math.max(0, clock.wallMs() - dueAt) };
  }

  /** What an earlier process left to this one: ends that could not be applied, and plans of other time-zone data. */
  async #recover(): Promise<void> {
    const { store, timeZoneVersion } = this.#parts;
    if ((await store.write(schedulerUnits.takeBackAside, {})) > 0) this.#ends.nudge();
    for (;;) {
      const ids = await store.read(schedulerUnits.planned, { timeZoneVersion, limit: REPLANNED_AT_ONCE });
      for (const scheduleId of ids) await this.#replan(scheduleId);
      if (ids.length < REPLANNED_AT_ONCE) return this.nudge();
    }
  }

  async #replan(scheduleId: string): Promise<void> {
    const { store, clock, log, timeZoneVersion } = this.#parts;
    const named = { scheduleId, timeZoneVersion };
    try {
      await store.write(schedulerUnits.replan, { ...named, at: clock.wallMs() });
    } catch (error) {
      log.error({ err: error, schedule_id: scheduleId }, 'a schedule could not be planned anew');
      await store.write(schedulerUnits.leaveAsPlanned, named);
    }
  }
}

/** Executions whose time has come. */
class DueWork implements Work<DueExecution> {
  readonly name = 'scheduler';
  readonly concurrency = 100;
  readonly #parts: SchedulerParts & { nudge(dueAt?: number): void };
  /** Null before it began. */
  lastTurnMs: number | null = null;

  constructor(parts: SchedulerParts & { nudge(dueAt?: number): void }) {
    this.#parts = parts;
  }

  turned(): void {
    this.lastTurnMs = this.#parts.clock.monotonicMs();
  }

  async claim(limit: number): Promise<DueExecution[]> {
    const { store, clock, failpoint } = this.#parts;
    const now = clock.wallMs();
    const leaseUntil = now + LEASE_MS;
    const due = await store.write(schedulerUnits.claim, { now, leaseUntil, limit });
    this.turned();
    if (due.length > 0) failpoint?.('schedule.claimed');
    return due;
  }

  nextDueAt(): Promise<number | null> {
    return this.#parts.store.read(schedulerUnits.nextDueAt, {});
  }

  async perform(due: DueExecution): Promise<void> {
    const { store, clock, log, defaults, nudge, nudgeDialler, failpoint } = this.#parts;
    const named = { executionId: due.id, scheduleId: due.schedule_id };
    const at = clock.wallMs();
    try {
      const outcome = await store.write(schedulerUnits.performDue, { ...named, at, defaults });
      failpoint?.('schedule.started');
      if (outcome.hasCall) nudgeDialler(at);
      if (outcome.hasMore) nudge();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, schedule_id: due.schedule_id }, 'a schedule could not be run');
      // It is given out again when its lease is over; what stays broken is told to whoever looks at it.
      if (at - due.planned_at > GIVE_UP_AFTER_MS) await store.write(schedulerUnits.giveUp, { ...named, at });
    }
  }
}

/** Calls that are over and of which their schedule was not told. */
class EndWork implements Work<string> {
  readonly name = 'schedule ends';
  readonly concurrency = 100;
  readonly #parts: SchedulerParts & { nudge(dueAt?: number): void };
  readonly #inHand = new Set<string>();

  constructor(parts: SchedulerParts & { nudge(dueAt?: number): void }) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<string[]> {
    const { store, failpoint } = this.#parts;
    const found = await store.read(schedulerUnits.unsettled, { limit: limit + this.#inHand.size });
    const free = found.filter((callId) => !this.#inHand.has(callId)).slice(0, limit);
    for (const callId of free) this.#inHand.add(callId);
    if (free.length > 0) failpoint?.('schedule.ends_found');
    return free;
  }

  /** Ends come by a nudge, or are found within the longest nap. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(callId: string): Promise<void> {
    const { store, clock, log, nudge, failpoint } = this.#parts;
    try {
      const { retryAt } = await store.write(schedulerUnits.settle, { callId, at: clock.wallMs() });
      failpoint?.(retryAt === null ? 'schedule.settled' : 'schedule.retried');
      if (retryAt !== null) nudge(retryAt);
    } catch (error) {
      // A store that is busy or away says nothing about this call: it is found again.
      if (isUnavailable(error)) throw error;
      log.error({ err: error, call_id: callId }, 'the end of a call could not be applied to its schedule');
      await store.write(schedulerUnits.setAside, { callId });
    } finally {
      this.#inHand.delete(callId);
    }
  }
}
