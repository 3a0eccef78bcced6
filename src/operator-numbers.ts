import { callMakerNumbers } from './call-maker-numbers.js';
import { callNumbers, type WatchedCalls } from './call-numbers.js';
import type { Shown } from './http/watch/metrics.js';
import { fromZero, readingsOf, secondsSince, shared } from './operator-readings.js';
import type { Tools } from './replacements.js';
import type { ScheduleCentre } from './schedules/schedule-centre.js';
import type { Speech } from './speech/built-in-speech.js';
import { WEBHOOK_ATTEMPTS, WEBHOOKS_DISABLED } from './webhooks/deliveries/attempt-end.js';
import { DISABLED_REASONS } from './webhooks/registrations/webhook.js';
import { OUTCOME_NAMES } from './webhooks/transport/outcome.js';
import type { WebhookCentre } from './webhooks/webhook-centre.js';

/** Whom the numbers are asked of. */
interface Watched extends WatchedCalls {
  schedules: ScheduleCentre;
  webhooks: WebhookCentre;
  speech: Pick<Speech, 'waiting'>;
}

/**
 * What `/metrics` shows of the rooms (docs/operations.md has the table). Labels are words of closed lists: never a
 * number, a name or an id. What is asked of the database costs the same however much waits there.
 */
export function operatorNumbers(tools: Tools, watched: Watched): Shown[] {
  return [
    ...callNumbers(tools, watched),
    ...callMakerNumbers(tools, watched),
    ...ofWebhooks(tools, watched.webhooks),
    ...ofTheHouse(tools, watched),
  ];
}

function ofWebhooks({ meter, clock }: Tools, webhooks: WebhookCentre): Shown[] {
  const backlog = shared(() => webhooks.backlog());
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
          value: secondsSince(dueAt, clock.wallMs()),
        }));
      },
    },
    {
      kind: 'counter',
      name: 'webhook_attempts',
      labelNames: ['outcome'],
      help: 'Attempts to deliver, by how they ended.',
      read: () =>
        fromZero(
          meter.tallies,
          WEBHOOK_ATTEMPTS,
          OUTCOME_NAMES.map((outcome) => ({ outcome })),
        ),
    },
    {
      kind: 'counter',
      name: WEBHOOKS_DISABLED,
      labelNames: ['disabled_reason'],
      help: 'Webhooks that were switched off without being asked to, by why.',
      read: () =>
        fromZero(
          meter.tallies,
          WEBHOOKS_DISABLED,
          DISABLED_REASONS.map((disabled_reason) => ({ disabled_reason })),
        ),
    },
  ];
}

function ofTheHouse({ meter }: Tools, { speech }: Watched): Shown[] {
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
