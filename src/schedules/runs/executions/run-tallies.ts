import type { Tx } from '#store/unit.js';
import type { ExecutionRow } from '#schedules/record/schedule.js';

/** The tally of runs that began, and of their later attempts, by timing. */
export const RUNS_BEGUN = 'scheduled_runs_begun';
/** The tally of runs that are over, by result. */
export const RUNS_OVER = 'scheduled_runs';

export const TIMINGS = ['on_time', 'late'] as const;
/** How a run, or one attempt of it, can end. */
export const RUN_RESULTS = ['completed', 'failed', 'missed', 'skipped', 'cancelled'] as const;

/** A run that has been due for longer is late: a sign that the service is too busy, or was down. */
export const LATE_AFTER_MS = 5_000;

/** Counts an attempt that begins so long after its time. */
export function tallyBegun(tx: Tx, lateMs: number): void {
  const timing: (typeof TIMINGS)[number] = lateMs > LATE_AFTER_MS ? 'late' : 'on_time';
  tx.tally({ name: RUNS_BEGUN, labels: { timing } });
}

/** Counts a run that is over. */
export function tallyRunOver(tx: Tx, result: ExecutionRow['status']): void {
  tx.tally({ name: RUNS_OVER, labels: { result } });
}
