import { z } from 'zod';
import { defineTransactions } from '#store/transaction.js';
import { IS_NOT_IN_DIAL_QUEUE } from '#calls/queue/dial-attempt.js';
import { IS_VISIBLE } from '#calls/record/read-call.js';
import { WIRE_STATUSES } from '#calls/resources/call-resource.js';
import type { Slice } from './stats-window.js';

/** How many of the newest answered calls count for the response times: more would hardly change the percentiles. */
export const SAMPLED_CALLS = 1_000;

const count = z.int();

/** Counts of the calls with one status, as the API shows it. */
const StatusCount = z.object({
  status: z.enum(WIRE_STATUSES),
  calls: count,
  /** Outbound calls that were dialled and are over, and how many of them were answered. */
  dialled: count,
  picked_up: count,
  /** Calls that were answered and are over, and how long they lasted together (milliseconds). */
  talks: count,
  talk_ms: count,
  /** The known costs (US dollars), and the number of talks whose cost is not fully known. */
  cost_usd: z.number(),
  unknown_costs: count,
});
export type StatusCount = z.output<typeof StatusCount>;

/** SQL condition: a dialled outbound call that is over. */
const IS_OVER_DIALLED = `direction = 'outbound' and started_at is not null and ended_at is not null`;
/** SQL condition: an answered call that is over. */
const IS_TALK = 'answered_at is not null and ended_at is not null';

/** The transactions of `CallStats`. */
export const statsTransactions = defineTransactions('call_stats', {
  /** Counts the calls that were created within a slice of time, by the status that the API shows. */
  async slice(tx, args: Slice & { workspace: string }): Promise<StatusCount[]> {
    const rows = await tx.all(
      `select case when status = 'queued' and scheduled_at is not null then 'scheduled' else status end as status,
         count(*) as calls,
         sum(case when ${IS_OVER_DIALLED} then 1 else 0 end) as dialled,
         sum(case when ${IS_OVER_DIALLED} and answered_at is not null then 1 else 0 end) as picked_up,
         sum(case when ${IS_TALK} then 1 else 0 end) as talks,
         sum(case when ${IS_TALK} then ended_at - answered_at else 0 end) as talk_ms,
         sum(cost_usd) as cost_usd,
         sum(case when ${IS_TALK} and coalesce(cost_is_complete, 0) = 0 then 1 else 0 end) as unknown_costs
       from calls where workspace = ? and created_at >= ? and created_at < ? and ${IS_VISIBLE}
       group by 1`,
      args.workspace,
      args.from,
      args.until,
    );
    return rows.map((row) => StatusCount.parse(row));
  },

  /** How many calls are being dialled, ring, or are live, whenever they were created. */
  async live(tx, args: { workspace: string }): Promise<number> {
    // The workspace is no condition of `where`: the database would choose its index, and read all scheduled calls.
    const row = await tx.get(
      `select sum(case when workspace = ? then 1 else 0 end) as calls
       from calls where ended_at is null and node_id is not null and ${IS_NOT_IN_DIAL_QUEUE}`,
      args.workspace,
    );
    return Number(row?.['calls'] ?? 0);
  },

  /** The response times in the newest answered calls (milliseconds), shortest first. */
  async responses(tx, args: { workspace: string; from: number }): Promise<number[]> {
    const rows = await tx.all(
      `select total_ms from call_turns where call_id in (
         select id from calls where workspace = ? and created_at >= ? and answered_at is not null
         order by created_at desc, id desc limit ${SAMPLED_CALLS})
       order by total_ms`,
      args.workspace,
      args.from,
    );
    return rows.map((row) => Number(row['total_ms']));
  },
});
