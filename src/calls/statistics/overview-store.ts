import { z } from 'zod';
import { percentile } from '#kernel/measuring/percentile.js';
import { IS_VISIBLE } from '#calls/record/read-call.js';
import { defineTransactions, type Tx } from '#store/transaction.js';
import type { Slice } from './stats-window.js';

/** Of so many newest answered calls of a day the reply times are read: more calls would make the query slow. */
const SAMPLED_CALLS = 500;

/** A column that holds a sum in SQL: null without rows, and text in PostgreSQL. Read as an integer. */
const countColumn = z.preprocess((value) => Number(value ?? 0), z.int());

/** The counted columns of one day. */
const DayCounts = z.object({
  /** Outbound calls that were dialled. */
  dialled: countColumn,
  /** Calls of both directions that were answered, also by a machine. */
  answered: countColumn,
  /** Answered calls that did not end as voicemail. */
  human: countColumn,
  /** Calls that reached their purpose. */
  success: countColumn,
  /** Calls that failed because of this service, the carrier or a speech provider. */
  alarms: countColumn,
});

/** The counts of one day, and the 95th percentile of the agents' reply times (milliseconds; null without replies). */
export type DayFigures = z.output<typeof DayCounts> & { reply_p95_ms: number | null };

/** SQL: how many rows meet a condition. */
const countWhere = (condition: string, name: string) =>
  `sum(case when ${condition} then 1 else 0 end) as ${name}`;
const IS_ANSWERED = 'answered_at is not null';

/** The transaction of `readOverview`, which counts the calls for the console's start page. */
export const overviewTransactions = defineTransactions('overviews', {
  /** Counts the calls that were created within a day. */
  async day(tx, args: Slice & { workspace: string }): Promise<DayFigures> {
    const row = await tx.get(
      `select ${countWhere("direction = 'outbound' and started_at is not null", 'dialled')},
         ${countWhere(IS_ANSWERED, 'answered')},
         ${countWhere(`${IS_ANSWERED} and coalesce(ended_reason, '') <> 'voicemail'`, 'human')},
         ${countWhere(`outcome like '%"resolutionAchieved":true%'`, 'success')},
         ${countWhere("fault in ('platform', 'carrier', 'speech_provider')", 'alarms')}
       from calls where workspace = ? and created_at >= ? and created_at < ? and ${IS_VISIBLE}`,
      args.workspace,
      args.from,
      args.until,
    );
    return { ...DayCounts.parse(row ?? {}), reply_p95_ms: await replyP95Ms(tx, args) };
  },
});

/** The 95th percentile of the reply times of a day in milliseconds; null without replies. */
async function replyP95Ms(tx: Tx, args: Slice & { workspace: string }): Promise<number | null> {
  const rows = await tx.all(
    `select total_ms from call_turns where call_id in (
       select id from calls where workspace = ? and created_at >= ? and created_at < ? and ${IS_ANSWERED}
       order by created_at desc, id desc limit ${SAMPLED_CALLS})
     order by total_ms`,
    args.workspace,
    args.from,
    args.until,
  );
  return percentile(
    rows.map((row) => Number(row['total_ms'])),
    0.95,
  );
}
