import type { BatchRow } from './batch.js';

/** How a batch stands, in counts and shares (Interface: `data` for batch events). */
export interface BatchStatistics {
  total_numbers: number;
  successfully_called: number;
  failed_calls: number;
  /** Of the calls that reached somebody; 0 while there are none. */
  avg_duration_seconds: number;
  /** Four decimals. */
  success_rate: number;
  /** What is known of it. */
  cost_usd: number;
  cost_is_complete: boolean;
}

/** The counters of a batch as its events and answers name them (Interface: `data` for batch events). */
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
