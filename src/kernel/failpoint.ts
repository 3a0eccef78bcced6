/**
 * The named places between the steps of dialling, settling and ending calls, and of the batches and schedules that make
 * them: one step is done, durably or not, and the next has not begun. A test hands in what shall happen there, such as
 * the death of the process; in service nobody is told, and passing a place costs one look at a missing value.
 */
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

/** {@link CALL_FAILPOINTS} of those who make calls: batches, schedules, and the retries of both. */
export const MAKER_FAILPOINTS = [
  'batch.begun',
  'batch.loaded',
  'batch.accepted',
  'batch.claimed',
  'batch.released',
  'batch.retried',
  'batch.ends_found',
  'batch.settled',
  'batch.cancelled',
  'batch.recalled',
  'batch.swept',
  'schedule.claimed',
  'schedule.started',
  'schedule.ends_found',
  'schedule.settled',
  'schedule.retried',
  'schedule.cancelled',
] as const;

export type FailpointName = (typeof CALL_FAILPOINTS)[number] | (typeof MAKER_FAILPOINTS)[number];

/** Told of each place as it is passed. */
export type Failpoint = (place: FailpointName) => void;
