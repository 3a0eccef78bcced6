import type { CallRow } from '#calls/record/call.js';
import type { FinishDetails } from '#calls/endings/finish-call.js';
import { endUndialled } from '#calls/endings/undialled-call.js';
import type { Tx } from '#store/transaction.js';
import { settleScheduledCall } from './settle-call.js';

// The open calls of a schedule that a client stops (pauses or cancels): calls that were not dialled yet end with it.

/** A call of a schedule, and the end that it gets if it was not dialled when the schedule is stopped. */
export interface CallEnd {
  callId: string;
  details: FinishDetails;
}

/** The calls of a stopped schedule. */
export interface StoppedCalls {
  /** Undialled calls, ended with the schedule. */
  over: CallRow[];
  /** Ringing or connected calls. */
  liveCallIds: string[];
}

/** Ids of the schedule's calls that are not over, or whose end is not settled yet. */
export async function openCalls(tx: Tx, scheduleId: string): Promise<string[]> {
  const rows = await tx.all(
    `select call_id from executions
     where schedule_id = ? and status = 'in_progress' and call_id is not null order by run, attempt`,
    scheduleId,
  );
  return rows.map((row) => String(row['call_id']));
}

/**
 * True if `ends` covers every open call of a locked schedule. The calling code prepares `ends` before it locks the
 * schedule, and a new call may have been made in between.
 */
export async function hasAllEnds(tx: Tx, scheduleId: string, ends: readonly CallEnd[]): Promise<boolean> {
  const known = new Set(ends.map(({ callId }) => callId));
  return (await openCalls(tx, scheduleId)).every((callId) => known.has(callId));
}

/** Ends the undialled calls of a locked schedule and settles them. Calls whose end is settled already are skipped. */
export async function endWaitingCalls(
  tx: Tx,
  scheduleId: string,
  ends: readonly CallEnd[],
): Promise<StoppedCalls> {
  const open = new Set(await openCalls(tx, scheduleId));
  const over: CallRow[] = [];
  const liveCallIds: string[] = [];
  for (const { callId, details } of ends) {
    if (!open.has(callId)) continue;
    const ended = await endUndialled(tx, callId, details);
    if (!ended) {
      liveCallIds.push(callId);
      continue;
    }
    await settleScheduledCall(tx, { callId, at: details.context.at });
    over.push(ended);
  }
  return { over, liveCallIds };
}
