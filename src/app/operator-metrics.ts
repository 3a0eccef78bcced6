import type { Metric } from '#metrics/exposition.js';
import type { ScheduleService } from '#schedules/schedule-service.js';
import type { BuiltInSpeech } from '#providers/builtin/built-in-speech.js';
import type { WebhookService } from '#webhooks/webhook-service.js';
import { batchMetrics } from '#batches/record/batch-statistics.js';
import { callMetrics, type CallMetricSources } from '#calls/call-metrics.js';
import { scheduleMetrics } from '#schedules/runs/executions/run-counters.js';
import { refusedCarrierRequestsMetric } from '#http/admission/refused-carrier-requests.js';
import type { StoreMeter } from '#store/store-meter.js';
import { readingsOf, type MetricSources } from '#metrics/readings.js';
import { webhookMetrics } from '#webhooks/webhook-metrics.js';

/** The services whose metrics are shown, and `meter`, which holds the counters of all modules. */
interface MetricModules extends CallMetricSources {
  meter: StoreMeter;
  schedules: ScheduleService;
  webhooks: WebhookService;
  speech: Pick<BuiltInSpeech, 'waiting'>;
}

/**
 * The metrics of every module at `/metrics` (table in docs/operations.md). Labels have fixed sets of values: never a
 * phone number, a name or an id. The cost of the database queries does not depend on the number of waiting rows.
 */
export function operatorMetrics({ clock }: Pick<MetricSources, 'clock'>, modules: MetricModules): Metric[] {
  const sources: MetricSources = { clock, counters: modules.meter.counters };
  return [
    ...callMetrics(sources, modules),
    refusedCarrierRequestsMetric(sources),
    ...scheduleMetrics(sources, modules),
    ...batchMetrics(sources),
    ...webhookMetrics(sources, modules),
    ...storeAndSpeechMetrics(modules),
  ];
}

/** The metrics of the database (`meter`) and of the threads of the built-in speech. */
function storeAndSpeechMetrics({ meter, speech }: MetricModules): Metric[] {
  return [
    {
      kind: 'gauge',
      name: 'store_units_waiting',
      labelNames: ['thread'],
      help: 'Pieces of work that wait for the database.',
      read: () => readingsOf('thread', { ...meter.queues }),
    },
    {
      kind: 'durations',
      name: 'store_commit_duration',
      help: 'How long commits of the database took.',
      listen: (observe) => meter.onCommit((durationMs) => observe(durationMs / 1_000)),
    },
    {
      kind: 'gauge',
      name: 'speech_requests_waiting',
      labelNames: ['duty'],
      help: 'Requests to the speech threads without an answer.',
      read: () => readingsOf('duty', speech.waiting()),
    },
  ];
}
