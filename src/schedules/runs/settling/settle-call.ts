import { z } from 'zod';
import { durationSeconds, type CallRow } from '#calls/record/call.js';
import { lockRepaired, repairCall } from '#calls/endings/repaired-call.js';
import { settleEnd } from '#calls/end-delivery/settlement.js';
import { ENDED_REASONS } from '#calls/record/ended-reason.js';
import type { Tx } from '#store/transaction.js';
import { nextAttempt } from '#schedules/record/retry.js';
import {
  completeIfDone,
  endRun,
  returnOccurrence,
  type ExecutionEnd,
} from '#schedules/runs/executions/runs.js';
import type { ExecutionRow, ScheduleRow } from '#schedules/record/schedule.js';
import { cancelSuppressed, isSuppressedForGood } from './suppressed-schedule.js';
import {
  addExecution,
  lockCalledExecution,
  lockSchedule,
  setExecution,
  setSchedule,
} from '#schedules/record/schedule-rows.js';

/** The columns of a call that name its schedule and execution. */
const Owner = z.object({
  schedule_id: z.string().nullable(),
  execution_id: z.string().nullable(),
});

/** The result of a settlement: when the retry of the run is due (epoch milliseconds); null without a retry. */
export interface Settlement {
  retryAt: number | null;
}

/**
 * Settles the end of a call with its schedule: the result, and a retry or the end of the run. A call that is settled
 * already changes nothing; a call whose schedule is gone, or whose execution is over, is only marked as settled.
 */
export async function settleScheduledCall(tx: Tx, args: { callId: string; at: number }): Promise<Settlement> {
  const row = await tx.get('select schedule_id, execution_id from calls where id = ?', args.callId);
  const owner = row && Owner.parse(row);
  if (!owner) return { retryAt: null };
  const schedule = owner.schedule_id === null ? null : await lockSchedule(tx, owner.schedule_id);
  const execution = owner.execution_id === null ? null : await lockCalledExecution(tx, owner.execution_id);
  if (!(await settleEnd(tx, args.callId))) return { retryAt: null };
  const lockedCall = await lockRepaired(tx, args.callId);
  if (!lockedCall || !schedule || execution?.status !== 'in_progress') return { retryAt: null };
  return { retryAt: await applyEnd(tx, schedule, execution, repairCall(tx, lockedCall), args.at) };
}

/** Applies the end of a call to its run and schedule; returns when a retry is due. */
async function applyEnd(
  tx: Tx,
  schedule: ScheduleRow,
  execution: ExecutionRow,
  call: CallRow,
  at: number,
): Promise<number | null> {
  const { end, retry } = outcomeOf(schedule, execution, call);
  const ended = await setExecution(tx, execution, { ...end, finished_at: call.ended_at ?? at }, at);
  if (retry) {
    await addExecution(
      tx,
      schedule,
      {
        run: execution.run,
        attempt: execution.attempt + 1,
        origin: execution.origin,
        reason: retry.reason,
        planned_at: retry.at,
      },
      at,
    );
    await setSchedule(tx, schedule, { last_status: end.status }, at);
    return retry.at;
  }
  let current = await endRun(tx, schedule, ended, at);
  // The call did not ring, so it does not count as one of `max_occurrences`.
  const neverDialled = call.started_at === null && execution.attempt === 1 && execution.origin === 'schedule';
  if (neverDialled) current = await returnOccurrence(tx, current, at);
  // A recurring schedule of a suppressed number would otherwise be refused at every occurrence.
  if (ended.error === 'suppressed' && (await isSuppressedForGood(tx, current, at)))
    current = await cancelSuppressed(tx, current, at);
  await completeIfDone(tx, current, at);
  return null;
}

/** The end of the execution, and its retry, by the end of its call. */
function outcomeOf(
  schedule: ScheduleRow,
  execution: ExecutionRow,
  call: CallRow,
): { end: ExecutionEnd; retry: ReturnType<typeof nextAttempt> } {
  const duration = durationSeconds(call, call.ended_at ?? 0);
  const reason = call.ended_reason;
  if (reason === null) return { end: { status: 'failed', error: 'failed', duration }, retry: null };
  // The call waited longer than its grace, for a slot or for its turn.
  if (call.started_at === null && (reason === 'expired' || reason === 'no_capacity'))
    return { end: { status: 'missed', error: `missed: ${call.error ?? reason}`, duration }, retry: null };
  const policy = schedule.retry_policy;
  // A policy that retries voicemail does not count voicemail as success.
  const isSuccess =
    ENDED_REASONS[reason].status === 'completed' &&
    !(reason === 'voicemail' && policy.max_retries > 0 && policy.retry_on.includes('voicemail'));
  if (isSuccess) return { end: { status: 'completed', error: null, duration }, retry: null };
  if (call.status === 'cancelled')
    return { end: { status: 'cancelled', error: reason, duration }, retry: null };
  const mayRetry = schedule.status !== 'cancelled' && schedule.status !== 'paused';
  const last = { attempts: execution.attempt, endedReason: reason, endedAt: call.ended_at ?? 0 };
  return {
    end: { status: 'failed', error: reason, duration },
    retry: mayRetry ? nextAttempt(policy, last) : null,
  };
}
