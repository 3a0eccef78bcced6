import type { FailpointAt } from '#kernel/work/failpoint.js';

/** The places between the steps of dialling, settling and ending calls at which tests stop or kill the process. */
export const CALL_FAILPOINTS = [
  'dial.claimed',
  'dial.begun',
  'dial.taken',
  'dial.placed',
  'dial.not_taken',
  'dial.expired',
  'settle.looked_up',
  'settle.attached',
  'settle.requeued',
  'settle.given_up',
  'report.received',
  'cancel.written',
  'cancel.hung_up',
] as const;

/** A test's hook, called with the place that the code has reached; absent in production. */
export type CallFailpoint = FailpointAt<(typeof CALL_FAILPOINTS)[number]>;
