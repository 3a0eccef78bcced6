import type { FailpointAt } from '#kernel/work/failpoint.js';

/**
 * Points between the steps of creating, dispatching, settling and cancelling batches, at which tests fail or kill the
 * process.
 */
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

/** A test's hook, called with the place that the code has reached; absent in production. */
export type BatchFailpoint = FailpointAt<(typeof BATCH_FAILPOINTS)[number]>;
