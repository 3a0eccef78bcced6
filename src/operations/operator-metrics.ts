import type { Metric } from '#http/watch/metrics.js';
import type { ScheduleService } from '#schedules/schedule-service.js';
import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { WebhookService } from '#webhooks/webhook-service.js';
import { callOriginatorMetrics } from './call-originator-metrics.js';
import { callMetrics, type WatchedCalls } from './call-metrics.js';
import { readingsOf, type MetricSources } from './readings.js';
import { webhookMetrics } from './webhook-metrics.js';

/** What the metrics are read from. */
interface Watched extends WatchedCalls {
  schedules: ScheduleService;
  webhooks: WebhookService;
  speech: Pick<Speech, 'waiting'>;
}

/**
 * What `/metrics` shows of the rooms (docs/operations.md has the table). Labels are words of closed lists: never a
 * number, a name or an id. What is asked of the database costs the same however much waits there.
 */
export function operatorMetrics(sources: MetricSources, watched: Watched): Metric[] {
  return [
    ...callMetrics(sources, watched),
    ...callOriginatorMetrics(sources, watched),
    ...webhookMetrics(sources, watched),
    ...storeAndSpeechMetrics(sources, watched),
  ];
}

function storeAndSpeechMetrics({ meter }: MetricSources, { speech }: Watched): Metric[] {
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
