import type { CallRow } from '#calls/record/call.js';
import type { FinishDetails } from '#calls/endings/finish-call.js';
import { endUndialled } from '#calls/endings/undialled-call.js';
import type { Tx } from '#store/unit.js';
import { settleCall } from './settle-call.js';

/** A call of a schedule, and the end that it has if nobody has dialled it when its schedule is stopped. */
export interface CallEnd {
  callId: string;
  details: FinishDetails;
}

/** What became of the calls of a schedule that was stopped. */
export interface StoppedCalls {
  /** Those that waited to be dialled: they are over. */
  over: CallRow[];
  /** Those that ring, or on which somebody talks. */
  liveCallIds: string[];
}

/** The calls of a schedule that are not over. */
export async function openCalls(tx: Tx, scheduleId: string): Promise<string[]> {
  const rows = await tx.all(
    `select call_id from executions
     where schedule_id = ? and status = 'in_progress' and call_id is not null order by run, attempt`,
    scheduleId,
  );
  return rows.map((row) => String(row['call_id']));
}

/** Whether every call of a schedule that is held has its end here; another one may have been made meanwhile. */
export async function hasAllEnds(tx: Tx, scheduleId: string, ends: readonly CallEnd[]): Promise<boolean> {
  const known = new Set(ends.map(({ callId }) => callId));
  return (await openCalls(tx, scheduleId)).every((callId) => known.has(callId));
}

/**
 * Ends the calls of a schedule that is held and that nobody has dialled yet, and tells the schedule of it. What it has
 * heard the end of is nobody's business any more.
 */
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
    await settleCall(tx, { callId, at: details.moment.at });
    over.push(ended);
  }
  return { over, liveCallIds };
}
