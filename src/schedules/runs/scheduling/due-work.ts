import type { ModuleContext } from '#store/module-context.js';
import type { CallDefaults } from '#calls/requests/draft-call.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Work } from '#kernel/work/loop.js';
import { schedulerTransactions, type DueExecution } from './scheduler-store.js';

/** A claimed execution belongs to its process for this long. */
const LEASE_MS = 15_000;
/** An execution that has failed to run for this long after its time is given up. */
const GIVE_UP_AFTER_MS = 300_000;

export interface DueWorkContext extends Pick<ModuleContext, 'store' | 'clock' | 'clockTrust' | 'log'> {
  defaults: CallDefaults;
  timeZoneVersion: string;
  /** Wakes the scheduler, at `dueAt` or now. */
  wake(dueAt?: number): void;
  wakeDialler(dueAt: number): void;
}

/** Source of due executions for the loop of the scheduler. */
export class DueWork implements Work<DueExecution> {
  readonly name = 'scheduler';
  readonly concurrency = 100;
  readonly #parts: DueWorkContext;
  /** Null before the start. */
  lastTurnMs: number | null = null;

  constructor(parts: DueWorkContext) {
    this.#parts = parts;
  }

  turned(): void {
    this.lastTurnMs = this.#parts.clock.monotonicMs();
  }

  async claim(limit: number): Promise<DueExecution[]> {
    const { store, clock, clockTrust } = this.#parts;
    const now = clock.wallMs();
    if (clockTrust.doubt) {
      this.turned();
      return [];
    }
    const leaseUntil = now + LEASE_MS;
    const due = await store.write(schedulerTransactions.claim, { now, leaseUntil, limit });
    this.turned();
    return due;
  }

  async nextDueAt(): Promise<number | null> {
    // A clock that may be wrong starts nothing and misses nothing.
    if (this.#parts.clockTrust.doubt) return null;
    return this.#parts.store.read(schedulerTransactions.nextDueAt, {});
  }

  async perform(due: DueExecution): Promise<void> {
    const { store, clock, log, defaults, timeZoneVersion, wake, wakeDialler } = this.#parts;
    const named = { executionId: due.id, scheduleId: due.schedule_id };
    const at = clock.wallMs();
    try {
      const outcome = await store.write(schedulerTransactions.performDue, {
        ...named,
        at,
        defaults,
        timeZoneVersion,
      });
      if (outcome.hasCall) wakeDialler(at);
      if (outcome.hasMore) wake();
    } catch (error) {
      if (isUnavailable(error)) throw error;
      log.error({ err: error, schedule_id: due.schedule_id }, 'a schedule could not be run');
      // The execution is claimed again when its lease ends; a persistent failure is given up.
      if (at - due.planned_at > GIVE_UP_AFTER_MS)
        await store.write(schedulerTransactions.giveUp, { ...named, at });
    }
  }
}
