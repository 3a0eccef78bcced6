import type { BatchRow } from './batch.js';
import type { Metric } from '#metrics/exposition.js';
import { labelsFor, counterMetric, type MetricSources } from '#metrics/readings.js';

/** Counts and shares of a batch (`data` of batch events, docs/webhooks.md). */
export interface BatchStatistics {
  total_numbers: number;
  successfully_called: number;
  failed_calls: number;
  /** The mean duration of the successful calls; 0 without any. */
  avg_duration_seconds: number;
  /** Successful calls divided by all recipients, 0 to 1, with four decimals. */
  success_rate: number;
  /** The known part of the cost in US dollars; see `cost_is_complete`. */
  cost_usd: number;
  cost_is_complete: boolean;
}

/** The statistics of a batch, from its counters. */
export function batchStatistics(batch: BatchRow): BatchStatistics {
  const { total_numbers: total, succeeded } = batch;
  return {
    total_numbers: total,
    successfully_called: succeeded,
    failed_calls: batch.failed,
    avg_duration_seconds: succeeded === 0 ? 0 : Math.round(batch.talk_seconds / succeeded),
    success_rate: total === 0 ? 0 : Math.round((succeeded / total) * 10_000) / 10_000,
    cost_usd: Math.round(batch.cost_usd * 1_000_000) / 1_000_000,
    cost_is_complete: batch.unknown_costs === 0,
  };
}

/**
 * The counter of batches that the service has paused or failed: because too many calls failed, because the budget was
 * reached, or because the batch was due during a downtime. A pause after a restore is not counted.
 */
export const BATCHES_STOPPED = 'batches_stopped';
/** The label values of this counter: the status to which the batch was moved. */
export const STOPPED_STATUSES = ['paused', 'failed'] as const;

/** The metrics of batches for `GET /metrics`: {@link BATCHES_STOPPED}. */
export function batchMetrics(sources: MetricSources): Metric[] {
  return [
    counterMetric(sources, {
      name: BATCHES_STOPPED,
      help: 'Batches that were paused or given up because their calls failed, because their budget was reached, or because the service was away when they were due.',
      known: labelsFor('status', STOPPED_STATUSES),
    }),
  ];
}
