/**
 * The tally of batches that were stopped without anybody asking, by what they are then: their calls failed, or the
 * service was away when they were due.
 */
export const BATCHES_STOPPED = 'batches_stopped';
export const STOPPED_STATUSES = ['paused', 'failed'] as const;
