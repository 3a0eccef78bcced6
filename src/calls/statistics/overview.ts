import { DateTime } from 'luxon';
import { z } from 'zod';
import type { Principal } from '#access/keys/principal.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Store } from '#store/store.js';
import { overviewTransactions, type DayFigures } from './overview-store.js';

// The overview of the last days for the console's start page: the response of `GET /api/overview` and its computation.

const counted = (description: string) => z.int().meta({ description });
const counts = {
  dialled: counted('Outbound calls that were dialled.'),
  answered: counted('Calls that somebody or something picked up, and incoming calls that were taken.'),
  human: counted('Answered calls that no answering machine picked up.'),
  success: counted('Calls that achieved their purpose.'),
  alarms: counted('Calls that failed by a fault of the service, a carrier or a provider.'),
  reply_p95_ms: z.int().nullable().meta({
    description:
      'How long the agent took to reply, in milliseconds: the 95th percentile of the newest 500 answered calls of the day; null without replies.',
  }),
};

/** The response of `GET /api/overview`. */
export const overviewResource = z
  .object({
    object: z.literal('overview'),
    days: z.int().meta({ description: 'How many days are shown.' }),
    timezone: z.string().meta({ description: 'The zone whose days they are.' }),
    totals: z
      .object({
        ...counts,
        reply_p95_ms: counts.reply_p95_ms.meta({
          description: 'The reply time of the slowest day; null without replies.',
        }),
      })
      .meta({ description: 'All days together.' }),
    by_day: z
      .array(z.object({ date: z.string().meta({ description: 'The day, `YYYY-MM-DD`.' }), ...counts }))
      .meta({ description: 'Day by day, oldest first; the last one is today.' }),
  })
  .meta({
    id: 'Overview',
    description: 'What became of the calls of the last days.',
    examples: [
      {
        object: 'overview',
        days: 1,
        timezone: 'UTC',
        totals: { dialled: 40, answered: 31, human: 25, success: 22, alarms: 1, reply_p95_ms: 910 },
        by_day: [
          {
            date: '2026-12-01',
            dialled: 40,
            answered: 31,
            human: 25,
            success: 22,
            alarms: 1,
            reply_p95_ms: 910,
          },
        ],
      },
    ],
  });

/**
 * Counts the calls of a workspace by the day on which they were created, for the last `days` days of an IANA zone,
 * today included. Each day is a query of its own, so that other requests can run between the days. Used by the route
 * `GET /api/overview`.
 */
export async function readOverview(
  { workspace }: Principal,
  { days, timezone }: { days: number; timezone: string },
  { store, clock }: { store: Store; clock: Clock },
): Promise<z.infer<typeof overviewResource>> {
  const today = DateTime.fromMillis(clock.wallMs(), { zone: timezone }).startOf('day');
  const byDay: (DayFigures & { date: string })[] = [];
  for (let back = days - 1; back >= 0; back -= 1) {
    const day = today.minus({ days: back });
    const slice = { from: day.toMillis(), until: day.plus({ days: 1 }).toMillis() };
    const date = day.toISODate() ?? '';
    byDay.push({ date, ...(await store.read(overviewTransactions.day, { workspace, ...slice })) });
  }
  return { object: 'overview', days, timezone, totals: totalsOf(byDay), by_day: byDay };
}

/** The sums of all days; for the reply time, the slowest day, as percentiles cannot be added. */
function totalsOf(days: readonly DayFigures[]): DayFigures {
  const sum = (valueOf: (day: DayFigures) => number) => days.reduce((total, day) => total + valueOf(day), 0);
  // -1 marks a day without replies.
  const slowestMs = Math.max(-1, ...days.map((day) => day.reply_p95_ms ?? -1));
  return {
    dialled: sum((day) => day.dialled),
    answered: sum((day) => day.answered),
    human: sum((day) => day.human),
    success: sum((day) => day.success),
    alarms: sum((day) => day.alarms),
    reply_p95_ms: slowestMs === -1 ? null : slowestMs,
  };
}
