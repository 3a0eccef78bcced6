import type { FailpointAt } from '#kernel/work/failpoint.js';

/**
 * Points between the steps of running, settling and cancelling schedules, at which tests fail or kill the process.
 */
export const SCHEDULE_FAILPOINTS = [
  'schedule.claimed',
  'schedule.started',
  'schedule.ends_found',
  'schedule.settled',
  'schedule.retried',
  'schedule.cancelled',
] as const;

export type ScheduleFailpoint = FailpointAt<(typeof SCHEDULE_FAILPOINTS)[number]>;
