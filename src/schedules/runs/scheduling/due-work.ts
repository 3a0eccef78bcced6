import type { ModuleContext } from '#store/module-context.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Work } from '#kernel/work/loop.js';
import { schedulerTransactions, type DueExecution } from './scheduler-store.js';

/** The lease on a claimed execution: if its transaction fails, it is claimed again after this time. */
const LEASE_MS = 15_000;
/** If the transaction of an execution fails later than this after its planned time, the execution is given up. */
const GIVE_UP_AFTER_MS = 300_000;

/** The dependencies of {@link DueWork}. */
export interface DueWorkContext extends Pick<ModuleContext, 'store' | 'clock' | 'clockTrust' | 'log'> {
  defaults: CallDefaults;
  timeZoneVersion: string;
  /** Wakes the scheduler, at `dueAt` or now. */
  wake(dueAt?: number): void;
  wakeDialler(dueAt: number): void;
}

/**
 * The work of the loop of `Scheduler`: claims the due executions of schedules, and starts each or ends it as missed or
 * skipped (`performDue`). Nothing is claimed while the clock may be wrong.
 */
export class DueWork implements Work<DueExecution> {
  readonly name = 'scheduler';
  readonly concurrency = 100;
  readonly #parts: DueWorkContext;
  /** When the loop was started or last claimed work (monotonic milliseconds); null before the start. */
  lastSignOfLifeMs: number | null = null;

  constructor(parts: DueWorkContext) {
    this.#parts = parts;
  }

  /** Records a sign of life of the loop. */
  recordSignOfLife(): void {
    this.lastSignOfLifeMs = this.#parts.clock.monotonicMs();
  }

  /** Claims due executions; none while the clock may be wrong. */
  async claim(limit: number): Promise<DueExecution[]> {
    const { store, clock, clockTrust } = this.#parts;
    const now = clock.wallMs();
    if (clockTrust.doubt) {
      this.recordSignOfLife();
      return [];
    }
    const leaseUntil = now + LEASE_MS;
    const due = await store.write(schedulerTransactions.claim, { now, leaseUntil, limit });
    this.recordSignOfLife();
    return due;
  }

  /** When the next execution is due (epoch milliseconds); null if none is planned, or while the clock may be wrong. */
  async nextDueAt(): Promise<number | null> {
    // A clock that may be wrong starts nothing and misses nothing.
    if (this.#parts.clockTrust.doubt) return null;
    return this.#parts.store.read(schedulerTransactions.nextDueAt, {});
  }

  /** Processes a due execution. @throws Problem `unavailable` if the database does not take the transaction now */
  async perform(due: DueExecution): Promise<void> {
    const { store, clock, log, defaults, timeZoneVersion, wake, wakeDialler } = this.#parts;
    const ids = { executionId: due.id, scheduleId: due.schedule_id };
    const at = clock.wallMs();
    try {
      const outcome = await store.write(schedulerTransactions.performDue, {
        ...ids,
        at,
        defaults,
        timeZoneVersion,
      });
      if (outcome.hasCall) wakeDialler(at);
      if (outcome.hasMore) wake();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, schedule_id: due.schedule_id }, 'a schedule could not be run');
      // The execution is claimed again when its lease ends, unless it is given up.
      if (at - due.planned_at > GIVE_UP_AFTER_MS)
        await store.write(schedulerTransactions.giveUp, { ...ids, status: 'pending', at });
    }
  }
}
