import type { Metric } from '#metrics/exposition.js';
import { WEBHOOK_ATTEMPTS, WEBHOOKS_DISABLED } from '#webhooks/deliveries/attempt-end.js';
import { DISABLED_REASONS } from '#webhooks/registrations/webhook.js';
import { OUTCOME_NAMES } from '#webhooks/deliveries/outcome.js';
import type { WebhookService } from './webhook-service.js';
import {
  labelsFor,
  secondsSince,
  shareConcurrent,
  counterMetric,
  type MetricSources,
} from '#metrics/readings.js';

/**
 * The metrics of webhooks for `GET /metrics`: running requests, pending deliveries, the outcomes of attempts, and
 * disabled webhooks. One read of the backlog serves both metrics of a scrape that need it.
 */
export function webhookMetrics(sources: MetricSources, { webhooks }: { webhooks: WebhookService }): Metric[] {
  const backlog = shareConcurrent(() => webhooks.backlog());
  return [
    {
      kind: 'gauge',
      name: 'webhook_requests',
      help: 'Requests to webhooks under way.',
      read: () => [{ value: webhooks.inFlight }],
    },
    {
      kind: 'gauge',
      name: 'webhook_deliveries_pending',
      help: 'Deliveries that wait, retries among them, counted up to 10000.',
      read: async () => [{ value: (await backlog()).pending }],
    },
    {
      kind: 'gauge',
      name: 'webhook_oldest_due_seconds',
      labelNames: ['receiver'],
      help: 'For how long the first delivery has been due, to receivers that answer and to those that fail.',
      async read() {
        const { oldestDueAt } = await backlog();
        return Object.entries(oldestDueAt).map(([receiver, dueAt]) => ({
          labels: { receiver },
          value: secondsSince(dueAt, sources.clock.wallMs()),
        }));
      },
    },
    counterMetric(sources, {
      name: WEBHOOK_ATTEMPTS,
      help: 'Attempts to deliver, by how they ended.',
      known: labelsFor('outcome', OUTCOME_NAMES),
    }),
    counterMetric(sources, {
      name: WEBHOOKS_DISABLED,
      help: 'Webhooks that were switched off without being asked to, by why.',
      known: labelsFor('disabled_reason', DISABLED_REASONS),
    }),
  ];
}
