import { CARRIED_STATES, type Backlog, type CallsBacklog } from './backlog-store.js';
import type { CallService } from './call-service.js';
import { CALLS_ENDED } from '#calls/record/call-progress.js';
import { LANES } from '#calls/queue/dial-lane.js';
import { DIAL_ATTEMPTS, DIAL_RESULTS } from '#calls/dialling/call-placer.js';
import { ENDED_REASONS } from '#calls/record/ended-reason.js';
import { JOB_KINDS } from '#calls/jobs/job.js';
import { RECORDINGS_REFUSED } from '#calls/recordings/recording-store.js';
import { JOBS_FINISHED } from '#calls/after-call/job-store.js';
import type { Metric } from '#metrics/exposition.js';
import { secondsSince, shareConcurrent, counterMetric, type MetricSources } from '#metrics/readings.js';

/** The sources of the call metrics; `carrier` is the name of the carrier of outbound calls. */
export interface CallMetricSources {
  callService: CallService;
  carrier: string;
}

/** Reads the queues and the calls of this process; concurrent readers share one read. */
type ReadBacklog = () => Promise<CallsBacklog>;

/**
 * The metrics of calls for the `/metrics` page: ended calls, current calls, the dial queue and after-call jobs. The
 * gauges that show the backlog share one read per scrape. Used by `src/app/operator-metrics.ts`.
 */
export function callMetrics(sources: MetricSources, calls: CallMetricSources): Metric[] {
  const backlog = shareConcurrent(() => calls.callService.backlog());
  return [
    ...currentCallMetrics(sources, calls, backlog),
    ...dialQueueMetrics(sources, calls, backlog),
    ...afterCallMetrics(sources, backlog),
  ];
}

function currentCallMetrics(
  sources: MetricSources,
  { callService }: CallMetricSources,
  backlog: ReadBacklog,
): Metric[] {
  return [
    counterMetric(sources, {
      name: CALLS_ENDED,
      help: 'Calls that are over, by how they ended.',
      known: EVERY_END,
    }),
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
      read: () => [{ value: callService.sessions.count }],
    },
  ];
}

function dialQueueMetrics(
  sources: MetricSources,
  { carrier }: CallMetricSources,
  backlog: ReadBacklog,
): Metric[] {
  const { clock } = sources;
  const perLane = (value: (backlog: Backlog) => number) => async () => {
    const { dialling } = await backlog();
    return LANES.map((lane) => ({ labels: { lane }, value: value(dialling[lane]) }));
  };
  return [
    {
      kind: 'gauge',
      name: 'dial_queue_due',
      labelNames: ['lane'],
      help: 'Calls that are due to be dialled and wait, counted up to 10000.',
      read: perLane(({ count }) => count),
    },
    {
      kind: 'gauge',
      name: 'dial_queue_oldest_due_seconds',
      labelNames: ['lane'],
      help: 'For how long the first call that waits to be dialled has been due.',
      read: perLane(({ oldestDueAt }) => secondsSince(oldestDueAt, clock.wallMs())),
    },
    counterMetric(sources, {
      name: DIAL_ATTEMPTS,
      help: 'What carriers said when they were asked to dial.',
      known: DIAL_RESULTS.map((result) => ({ carrier, result })),
    }),
  ];
}

function afterCallMetrics(sources: MetricSources, backlog: ReadBacklog): Metric[] {
  const { clock } = sources;
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
      kind: 'gauge',
      name: 'recordings_waiting_for_storage',
      help: 'Recordings on the disk that are to be taken to object storage.',
      read: async () => [{ value: (await backlog()).recordingsToMove.count }],
    },
    {
      kind: 'gauge',
      name: 'recordings_waiting_for_storage_bytes',
      help: 'How much of the disk they take.',
      read: async () => [{ value: (await backlog()).recordingsToMove.bytes }],
    },
    counterMetric(sources, {
      name: RECORDINGS_REFUSED,
      help: 'Calls that were not recorded because too many recordings waited for object storage.',
      known: [{}],
    }),
    counterMetric(sources, {
      name: JOBS_FINISHED,
      help: 'Recordings, analyses, and moves to and deletions in object storage that are done, or given up.',
      known: JOB_KINDS.flatMap((kind) => ['done', 'failed'].map((result) => ({ kind, result }))),
    }),
  ];
}

/** The label sets of ended calls, which are shown as 0 before the first call that ends this way. */
const EVERY_END = Object.entries(ENDED_REASONS).map(([ended_reason, { status }]) => ({
  status,
  ended_reason,
}));
/** The label sets of the gauge `calls`, which is shown as 0 for the combinations without a call. */
const EVERY_CARRIED = ['outbound', 'inbound'].flatMap((direction) =>
  CARRIED_STATES.map((state) => ({ direction, state })),
);
