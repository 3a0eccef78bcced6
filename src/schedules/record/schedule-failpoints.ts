import type { FailpointAt } from '#kernel/work/failpoint.js';

/** The places between the steps of running, settling and cancelling schedules. */
export const SCHEDULE_FAILPOINTS = [
  'schedule.claimed',
  'schedule.started',
  'schedule.ends_found',
  'schedule.settled',
  'schedule.retried',
  'schedule.cancelled',
] as const;

export type ScheduleFailpoint = FailpointAt<(typeof SCHEDULE_FAILPOINTS)[number]>;
