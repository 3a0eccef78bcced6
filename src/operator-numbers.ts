import { CARRIED_STATES, type Backlog, type CallsBacklog } from './calls/backlog-store.js';
import type { CallCentre } from './calls/call-centre.js';
import { CALLS_ENDED } from './calls/record/call-progress.js';
import { LANES } from './calls/queue/dial-lane.js';
import { DIAL_ATTEMPTS, DIAL_RESULTS } from './calls/dialling/dialler.js';
import { ENDED_REASONS } from './calls/record/ended-reason.js';
import { JOB_KINDS } from './calls/after-call/job.js';
import { JOBS_OVER } from './calls/after-call/job-store.js';
import type { Reading, Shown } from './http/watch/metrics.js';
import type { Tallies, Tally } from './kernel/tallies.js';
import type { Tools } from './replacements.js';
import type { Speech } from './speech/built-in-speech.js';
import { WEBHOOK_ATTEMPTS } from './webhooks/deliveries/attempt-end.js';
import { OUTCOME_NAMES } from './webhooks/transport/outcome.js';
import type { WebhookCentre } from './webhooks/webhook-centre.js';

/** Whom the numbers are asked of, and the name of the carrier of outbound calls. */
interface Watched {
  centre: CallCentre;
  webhooks: WebhookCentre;
  speech: Pick<Speech, 'waiting'>;
  carrier: string;
}

type AskBacklog = () => Promise<CallsBacklog>;

/**
 * What `/metrics` shows of the rooms (docs/operations.md has the table). Labels are words of closed lists: never a
 * number, a name or an id. What is asked of the database costs the same however much waits there.
 */
export function operatorNumbers(tools: Tools, watched: Watched): Shown[] {
  const backlog = shared(() => watched.centre.backlog());
  return [
    ...ofCalls(tools, watched, backlog),
    ...ofDialling(tools, watched, backlog),
    ...ofWork(tools, backlog),
    ...ofWebhooks(tools, watched.webhooks),
    ...ofTheHouse(tools, watched),
  ];
}

function ofCalls({ meter }: Tools, { centre }: Watched, backlog: AskBacklog): Shown[] {
  return [
    {
      kind: 'counter',
      name: 'calls_ended',
      labelNames: ['status', 'ended_reason'],
      help: 'Calls that are over, by how they ended.',
      read: () => fromZero(meter.tallies, CALLS_ENDED, EVERY_END),
    },
    {
      kind: 'gauge',
      name: 'calls',
      labelNames: ['direction', 'state'],
      help: 'Calls that this process carries: being dialled, ringing, live.',
      async read() {
        const { carried } = await backlog();
        return EVERY_CARRIED.map((labels) => {
          const found = carried.find(
            ({ direction, state }) => direction === labels.direction && state === labels.state,
          );
          return { labels, value: found?.count ?? 0 };
        });
      },
    },
    {
      kind: 'gauge',
      name: 'live_calls',
      help: 'Calls whose audio runs through this process.',
      read: () => [{ value: centre.sessions.count }],
    },
  ];
}

function ofDialling({ meter, clock }: Tools, { carrier }: Watched, backlog: AskBacklog): Shown[] {
  const ofLanes = (value: (backlog: Backlog) => number) => async () => {
    const { dialling } = await backlog();
    return LANES.map((lane) => ({ labels: { lane }, value: value(dialling[lane]) }));
  };
  return [
    {
      kind: 'gauge',
      name: 'dial_queue_due',
      labelNames: ['lane'],
      help: 'Calls that are due to be dialled and wait, counted up to 10000.',
      read: ofLanes(({ count }) => count),
    },
    {
      kind: 'gauge',
      name: 'dial_queue_oldest_due_seconds',
      labelNames: ['lane'],
      help: 'For how long the first call that waits to be dialled has been due.',
      read: ofLanes(({ oldestDueAt }) => secondsSince(oldestDueAt, clock.wallMs())),
    },
    {
      kind: 'counter',
      name: 'dial_attempts',
      labelNames: ['carrier', 'result'],
      help: 'What carriers said when they were asked to dial.',
      read: () =>
        fromZero(
          meter.tallies,
          DIAL_ATTEMPTS,
          DIAL_RESULTS.map((result) => ({ carrier, result })),
        ),
    },
  ];
}

function ofWork({ meter, clock }: Tools, backlog: AskBacklog): Shown[] {
  return [
    {
      kind: 'gauge',
      name: 'after_call_jobs_waiting',
      help: 'Recordings and analyses that wait to be made, retries among them, counted up to 10000.',
      read: async () => [{ value: (await backlog()).afterCall.count }],
    },
    {
      kind: 'gauge',
      name: 'after_call_oldest_due_seconds',
      help: 'For how long the first of them has been due.',
      read: async () => [{ value: secondsSince((await backlog()).afterCall.oldestDueAt, clock.wallMs()) }],
    },
    {
      kind: 'counter',
      name: 'after_call_jobs',
      labelNames: ['kind', 'result'],
      help: 'Recordings and analyses that are done, or given up.',
      read: () =>
        fromZero(
          meter.tallies,
          JOBS_OVER,
          JOB_KINDS.flatMap((kind) => ['done', 'failed'].map((result) => ({ kind, result }))),
        ),
    },
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

const EVERY_END = Object.entries(ENDED_REASONS).map(([ended_reason, { status }]) => ({
  status,
  ended_reason,
}));
const EVERY_CARRIED = ['outbound', 'inbound'].flatMap((direction) =>
  CARRIED_STATES.map((state) => ({ direction, state })),
);

/** The counts of a tally, those that never happened among them: a rise from nothing could not be seen. */
function fromZero(tallies: Tallies, name: string, known: readonly Tally['labels'][]): Reading[] {
  const counted = tallies.of(name);
  const isCounted = (labels: Tally['labels']) =>
    counted.some((count) => Object.entries(labels).every(([label, word]) => count.labels[label] === word));
  return [
    ...counted,
    ...known.filter((labels) => !isCounted(labels)).map((labels) => ({ labels, value: 0 })),
  ];
}

function readingsOf(label: string, values: Readonly<Record<string, number>>): Reading[] {
  return Object.entries(values).map(([word, value]) => ({ labels: { [label]: word }, value }));
}

function secondsSince(at: number | null, now: number): number {
  return at === null ? 0 : Math.max(0, now - at) / 1_000;
}

/** One answer for all who ask while it is under way. */
function shared<Answer>(ask: () => Promise<Answer>): () => Promise<Answer> {
  let asking: Promise<Answer> | null = null;
  return () => {
    asking ??= ask().finally(() => (asking = null));
    return asking;
  };
}
