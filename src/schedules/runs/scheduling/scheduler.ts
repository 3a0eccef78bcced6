import type { ModuleContext } from '#store/module-context.js';
import type { CallRow } from '#calls/record/call.js';
import { CallEndDelivery } from '#calls/end-delivery/call-end-delivery.js';
import { Loop } from '#kernel/work/loop.js';
import { DueWork, type DueWorkContext } from './due-work.js';
import { schedulerTransactions, type DueExecution } from './scheduler-store.js';
import type { CallOwner } from '#calls/end-delivery/call-end-work.js';

/** The most schedules that one query returns for replanning. */
const PAGE_SIZE = 100;
/** The scheduler's loop counts as dead after this time without a sign of life. */
const MAX_SILENCE_MS = 10_000;

/** The dependencies of {@link Scheduler}. */
export type SchedulerContext = Omit<DueWorkContext, 'wake'>;

/**
 * Runs the schedules of the service: makes the calls of due executions, settles the ends of those calls, and replans
 * schedules at a start with other time-zone data and when the clock was set back. `ScheduleService` creates it.
 */
export class Scheduler {
  readonly #parts: SchedulerContext;
  readonly #due: Loop<DueExecution>;
  readonly #ends: CallEndDelivery;
  readonly #dueWork: DueWork;

  constructor(parts: SchedulerContext) {
    this.#parts = parts;
    const wake = (dueAt?: number) => this.wake(dueAt);
    this.#dueWork = new DueWork({ ...parts, wake });
    this.#due = new Loop(this.#dueWork, parts);
    this.#ends = new CallEndDelivery(scheduleEndOwner({ ...parts, wake }), parts);
    parts.clockTrust.onSetBack(() => void this.#planEarlier());
  }

  start(): void {
    this.#dueWork.recordSignOfLife();
    this.#due.start();
    this.#ends.start();
    void this.#replanAll().catch((error: unknown) =>
      this.#parts.log.error({ err: error }, 'schedules were not replanned at the start'),
    );
  }

  async stop(): Promise<void> {
    await Promise.all([this.#due.stop(), this.#ends.stop()]);
  }

  /** Wakes the loop, at `dueAt` or now. */
  wake(dueAt?: number): void {
    this.#due.wake(dueAt);
  }

  /** Settles the end of a call, if the call belongs to a schedule. */
  callEnded(call: CallRow): void {
    this.#ends.callEnded(call);
  }

  /** `isAlive`: the loop works, or was not started. `lagMs`: how long the oldest pending execution has been due. */
  async progress(): Promise<{ isAlive: boolean; lagMs: number }> {
    const { store, clock } = this.#parts;
    const dueAt = await store.read(schedulerTransactions.nextDueAt, {});
    const { lastSignOfLifeMs } = this.#dueWork;
    const isAlive = lastSignOfLifeMs === null || clock.monotonicMs() - lastSignOfLifeMs <= MAX_SILENCE_MS;
    return { isAlive, lagMs: dueAt === null ? 0 : Math.max(0, clock.wallMs() - dueAt) };
  }

  /** Replans schedules planned with other time-zone data. */
  async #replanAll(): Promise<void> {
    const { store, timeZoneVersion } = this.#parts;
    for (;;) {
      const ids = await store.read(schedulerTransactions.plannedWithOtherData, {
        timeZoneVersion,
        limit: PAGE_SIZE,
      });
      for (const scheduleId of ids) await this.#replan(scheduleId);
      if (ids.length < PAGE_SIZE) return this.wake();
    }
  }

  /** Replans the schedules that were planned too late while the clock ran ahead. */
  async #planEarlier(): Promise<void> {
    const { store, clock, log } = this.#parts;
    const at = clock.wallMs();
    try {
      for (let after = ''; ;) {
        const limit = PAGE_SIZE;
        const ids = await store.read(schedulerTransactions.plannedTooLate, { at, after, limit });
        for (const scheduleId of ids)
          await store.write(schedulerTransactions.planEarlier, { scheduleId, at });
        if (ids.length < limit) return this.wake();
        after = ids.at(-1)!;
      }
    } catch (error) {
      log.error({ err: error }, 'schedules were not replanned after the clock was set back');
    }
  }

  /** Replans one schedule. An unreadable schedule is marked, so that it does not block the others. */
  async #replan(scheduleId: string): Promise<void> {
    const { store, clock, log, timeZoneVersion } = this.#parts;
    const ids = { scheduleId, timeZoneVersion };
    try {
      await store.write(schedulerTransactions.replan, { ...ids, at: clock.wallMs() });
    } catch (error) {
      log.error({ err: error, schedule_id: scheduleId }, 'a schedule could not be replanned');
      await store.write(schedulerTransactions.leaveAsPlanned, ids);
    }
  }
}

/** The dependencies of {@link scheduleEndOwner}. */
interface RunEndsContext extends Pick<ModuleContext, 'store' | 'clock'> {
  /** Wakes the scheduler for a planned retry. */
  wake(dueAt: number): void;
}

/** The handler for the ends of calls that belong to schedules. */
function scheduleEndOwner({ store, clock, wake }: RunEndsContext): CallOwner {
  return {
    kind: 'schedule',
    async apply(callId) {
      const { retryAt } = await store.write(schedulerTransactions.settle, { callId, at: clock.wallMs() });
      if (retryAt !== null) wake(retryAt);
    },
  };
}
