import type { Tx } from '#store/transaction.js';
import { lockSchedule, requireSchedule } from '#schedules/record/schedule-rows.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import { settleScheduledCall } from './settle-call.js';
import { openCalls } from './waiting-calls.js';

/**
 * Locks a schedule and settles the ends of its calls: a command must not treat a call as live that is over. Null if the
 * schedule does not exist.
 */
export async function lockSettledSchedule(
  tx: Tx,
  { id, at }: { id: string; at: number },
): Promise<ScheduleRow | null> {
  const schedule = await lockSchedule(tx, id);
  return schedule && (await settleEnds(tx, schedule, at));
}

/**
 * Like {@link lockSettledSchedule}, for a request.
 * @throws Problem `scheduled_call_not_found`, also for a schedule of another workspace
 */
export async function requireSettledSchedule(
  tx: Tx,
  args: { workspace: string; id: string; at: number },
): Promise<ScheduleRow> {
  return settleEnds(tx, await requireSchedule(tx, args), args.at);
}

/** Settles the calls of a locked schedule that have ended; returns the schedule afterwards. */
async function settleEnds(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  const callIds = await openCalls(tx, schedule.id);
  for (const callId of callIds) await settleScheduledCall(tx, { callId, at });
  return callIds.length === 0 ? schedule : ((await lockSchedule(tx, schedule.id)) ?? schedule);
}
