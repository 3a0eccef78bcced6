import type { Metric } from '#metrics/exposition.js';
import { labelsFor, counterMetric, type MetricSources } from '#metrics/readings.js';
import { BATCHES_STOPPED, STOPPED_STATUSES } from '#batches/record/batch-statistics.js';

/** The metrics of batches: a counter of batches that the service itself has stopped. */
export function batchMetrics(sources: MetricSources): Metric[] {
  return [
    counterMetric(sources, {
      name: BATCHES_STOPPED,
      help: 'Batches that were paused or given up because their calls failed, or because the service was away when they were due.',
      known: labelsFor('status', STOPPED_STATUSES),
    }),
  ];
}
