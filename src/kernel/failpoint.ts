/**
 * The named places between the steps of dialling, settling and ending: one step is done, durably or not, and the next has
 * not begun. A test hands in what shall happen there, such as the death of the process; in service nobody is told, and
 * passing a place costs one look at a missing value.
 */
export const FAILPOINTS = [
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

/** Told of each place as it is passed. */
export type Failpoint = (place: (typeof FAILPOINTS)[number]) => void;
