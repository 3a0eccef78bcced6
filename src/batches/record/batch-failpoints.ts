import type { FailpointAt } from '#kernel/work/failpoint.js';

/** The places between the steps of making, feeding, settling and cancelling batches. */
export const BATCH_FAILPOINTS = [
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
] as const;

export type BatchFailpoint = FailpointAt<(typeof BATCH_FAILPOINTS)[number]>;
