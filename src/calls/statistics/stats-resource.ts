import { z } from 'zod';
import { toInstant } from '#kernel/time/clock.js';
import { instantOut } from '#kernel/input/fields.js';
import { percentile } from '#kernel/measuring/percentile.js';
import { WIRE_STATUSES, type WireStatus } from '#calls/resources/call-resource.js';
import { SAMPLED_CALLS, type StatusCount } from './stats-store.js';
import { STATS_WINDOWS, type Slice, type StatsWindow } from './stats-window.js';

// The statistics of the calls of a window: the response of `GET /api/stats`, which `CallStats` builds from its counts.

const ofSampledResponses = `of the responses in the newest ${SAMPLED_CALLS} answered calls of the window; null without any.`;

const countOf = (status: WireStatus) => z.int().meta({ description: `How many are ${status}.` });

const example = {
  object: 'call_stats',
  window: '1h',
  since: '2026-12-01T14:05:00.000Z',
  calls_total: 40,
  calls_live: 2,
  by_status: {
    ...(Object.fromEntries(WIRE_STATUSES.map((status) => [status, 0])) as Record<WireStatus, number>),
    active: 2,
    completed: 30,
    failed: 8,
  },
  avg_duration: 42.5,
  p50_response_ms: 640,
  p95_response_ms: 910,
  answer_rate: 0.7895,
  cost_usd: 1.84,
  cost_is_complete: true,
  series: [{ t: '2026-12-01T14:05:00.000Z', calls: 40, failed: 8 }],
} as const;

/** The response of `GET /api/stats`: calls are counted by when they were created. */
export const statsResource = z
  .object({
    object: z.literal('call_stats'),
    window: z.enum(STATS_WINDOWS).meta({ description: 'The window that was asked for.' }),
    since: instantOut.meta({ description: 'When the window began.' }),
    calls_total: z.int().meta({ description: 'Calls that were created in the window.' }),
    calls_live: z.int().meta({ description: 'Calls that are being dialled, ring or are talked on now.' }),
    by_status: z
      .object(
        Object.fromEntries(WIRE_STATUSES.map((status) => [status, countOf(status)])) as Record<
          WireStatus,
          z.ZodInt
        >,
      )
      .meta({ description: 'The calls of the window by their status now.' }),
    avg_duration: z
      .number()
      .nullable()
      .meta({ description: 'Seconds that answered calls lasted on average; null when none is over.' }),
    p50_response_ms: z
      .int()
      .nullable()
      .meta({ description: `Median ${ofSampledResponses}` }),
    p95_response_ms: z
      .int()
      .nullable()
      .meta({ description: `95th percentile ${ofSampledResponses}` }),
    answer_rate: z
      .number()
      .min(0)
      .max(1)
      .nullable()
      .meta({ description: 'Share of the dialled calls that somebody picked up; null when none is over.' }),
    cost_usd: z.number().meta({ description: 'What the calls cost, as far as it is known.' }),
    cost_is_complete: z.boolean().meta({ description: 'Whether `cost_usd` is all that they cost.' }),
    series: z
      .array(
        z.object({
          t: instantOut.meta({ description: 'When this part of the window began.' }),
          calls: z.int().meta({ description: 'Calls that were created in it.' }),
          failed: z.int().meta({ description: 'How many of them failed.' }),
        }),
      )
      .meta({ description: 'The window in parts of equal length, oldest first; the last one is under way.' }),
  })
  .meta({
    id: 'CallStats',
    description: 'What became of the calls of the last hours or days, in numbers.',
    examples: [example],
  });
export type StatsResource = z.infer<typeof statsResource>;

/** The counts behind a response. */
export interface StatsCounts {
  window: StatsWindow;
  /** The calls of each slice of the window, by status. */
  slices: readonly { slice: Slice; counts: readonly StatusCount[] }[];
  /** How many calls are live now. */
  live: number;
  /** The agents' response times in milliseconds, shortest first. */
  responses: readonly number[];
}

/** Builds the response; rates and means are null without calls to compute them from. */
export function toStatsResource({ window, slices, live, responses }: StatsCounts): StatsResource {
  const all = slices.flatMap(({ counts }) => counts);
  const total = (valueOf: (count: StatusCount) => number, counts: readonly StatusCount[] = all) =>
    counts.reduce((sum, count) => sum + valueOf(count), 0);
  const callsWith = (status: WireStatus, counts: readonly StatusCount[]) =>
    total(
      ({ calls }) => calls,
      counts.filter((count) => count.status === status),
    );
  return {
    object: 'call_stats',
    window,
    since: toInstant(slices[0]!.slice.from),
    calls_total: total(({ calls }) => calls),
    calls_live: live,
    by_status: Object.fromEntries(WIRE_STATUSES.map((status) => [status, callsWith(status, all)])) as Record<
      WireStatus,
      number
    >,
    avg_duration: ratio(
      total(({ talk_ms }) => talk_ms) / 1_000,
      total(({ talks }) => talks),
      1,
    ),
    p50_response_ms: percentile(responses, 0.5),
    p95_response_ms: percentile(responses, 0.95),
    answer_rate: ratio(
      total(({ picked_up }) => picked_up),
      total(({ dialled }) => dialled),
      4,
    ),
    cost_usd: Number(total(({ cost_usd }) => cost_usd).toFixed(6)),
    cost_is_complete: total(({ unknown_costs }) => unknown_costs) === 0,
    series: slices.map(({ slice, counts }) => ({
      t: toInstant(slice.from),
      calls: total(({ calls }) => calls, counts),
      failed: callsWith('failed', counts),
    })),
  };
}

/** A quotient, rounded to `digits` decimals; null for a divisor of zero. */
function ratio(dividend: number, divisor: number, digits: number): number | null {
  return divisor === 0 ? null : Number((dividend / divisor).toFixed(digits));
}
