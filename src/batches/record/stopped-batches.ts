/**
 * Counter of batches stopped by the service, by resulting status: their calls failed, or they were due during a
 * downtime.
 */
export const BATCHES_STOPPED = 'batches_stopped';
export const STOPPED_STATUSES = ['paused', 'failed'] as const;
