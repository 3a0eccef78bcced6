import type { CallOwner } from '#calls/owned-ends/end-work.js';
import type { Clock } from '#kernel/time/clock.js';
import type { ScheduleFailpoint } from '#schedules/record/schedule-failpoints.js';
import type { Store } from '#store/store.js';
import { schedulerUnits } from './scheduler-store.js';

interface RunEndsParts {
  store: Store;
  clock: Clock;
  /** Wakes the scheduler for a planned retry. */
  nudge(dueAt: number): void;
  failpoint?: ScheduleFailpoint | undefined;
}

/** Receives the ends of calls of scheduled runs. */
export function runEnds({ store, clock, nudge, failpoint }: RunEndsParts): CallOwner {
  return {
    kind: 'schedule',
    found: () => failpoint?.('schedule.ends_found'),
    async apply(callId) {
      const { retryAt } = await store.write(schedulerUnits.settle, { callId, at: clock.wallMs() });
      failpoint?.(retryAt === null ? 'schedule.settled' : 'schedule.retried');
      if (retryAt !== null) nudge(retryAt);
    },
  };
}
