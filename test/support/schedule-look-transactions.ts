import { lockCall } from '#calls/record/call-rows.js';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { finishCall } from '#calls/endings/finish-call.js';
import { defineTransactions } from '#store/transaction.js';

const LINKS = { recordingUrl: '', transcriptUrl: '' };

/** Queries of the schedule tables, and ends of calls without a carrier. */
export const scheduleLookTransactions = defineTransactions('schedule-rig', {
  /** The number of calls, and of executions by status. */
  async counts(tx): Promise<{ calls: number; executions: Record<string, number> }> {
    const calls = await tx.get('select count(*) as n from calls');
    const rows = await tx.all('select status, count(*) as n from executions group by status');
    const executions = Object.fromEntries(rows.map((row) => [String(row['status']), Number(row['n'])]));
    return { calls: Number(calls?.['n']), executions };
  },

  async repeated(tx): Promise<number> {
    const rows = await tx.all('select execution_id from calls group by execution_id having count(*) > 1');
    return rows.length;
  },

  async liveCalls(tx): Promise<string[]> {
    const rows = await tx.all('select id from calls where ended_at is null order by id');
    return rows.map((row) => String(row['id']));
  },

  async end(tx, args: { callId: string; reason: EndedReason; at: number }): Promise<void> {
    const call = await lockCall(tx, args.callId);
    if (!call) return;
    await finishCall(tx, call, {
      context: { at: args.at, links: LINKS },
      reason: args.reason,
      talk: null,
    });
  },
});
