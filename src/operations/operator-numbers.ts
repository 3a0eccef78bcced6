import type { Shown } from '../http/watch/metrics.js';
import type { ScheduleService } from '../schedules/schedule-service.js';
import type { Speech } from '../speech/built-in-speech.js';
import type { WebhookService } from '../webhooks/webhook-service.js';
import { callOriginatorNumbers } from './call-originator-numbers.js';
import { callNumbers, type WatchedCalls } from './call-numbers.js';
import { readingsOf, type Instruments } from './readings.js';
import { webhookNumbers } from './webhook-numbers.js';

/** Whom the numbers are asked of. */
interface Watched extends WatchedCalls {
  schedules: ScheduleService;
  webhooks: WebhookService;
  speech: Pick<Speech, 'waiting'>;
}

/**
 * What `/metrics` shows of the rooms (docs/operations.md has the table). Labels are words of closed lists: never a
 * number, a name or an id. What is asked of the database costs the same however much waits there.
 */
export function operatorNumbers(instruments: Instruments, watched: Watched): Shown[] {
  return [
    ...callNumbers(instruments, watched),
    ...callOriginatorNumbers(instruments, watched),
    ...webhookNumbers(instruments, watched),
    ...storeAndSpeechNumbers(instruments, watched),
  ];
}

function storeAndSpeechNumbers({ meter }: Instruments, { speech }: Watched): Shown[] {
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
