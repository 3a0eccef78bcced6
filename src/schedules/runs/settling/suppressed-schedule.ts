import { findSuppression } from '#policy/suppressions/suppression-store.js';
import type { Tx } from '#store/transaction.js';
import { endExecution } from '#schedules/runs/executions/runs.js';
import type { ScheduleRow } from '#schedules/record/schedule.js';
import { openExecutions, setSchedule } from '#schedules/record/schedule-rows.js';

// Ends schedules whose number is on the suppression list, which no call may dial.

/** The end of executions (runs or retries) without a call, for a suppressed number. */
const SUPPRESSED = { status: 'cancelled', error: 'suppressed' } as const;
const OPEN_STATUSES: readonly ScheduleRow['status'][] = ['scheduled', 'paused', 'in_progress'];

/**
 * True if the number is suppressed for all remaining calls of the schedule: by an entry that never expires, or that
 * expires after the only call. Other entries leave the schedule alone: until they expire, the policy refuses each call.
 */
export async function isSuppressedForGood(tx: Tx, schedule: ScheduleRow, at: number): Promise<boolean> {
  const { workspace, phone_number: phoneNumber } = schedule;
  const entry = await findSuppression(tx, { workspace, phoneNumber, now: at });
  if (!entry) return false;
  const { expires_at: end } = entry;
  return end === null || (schedule.kind === 'one_time' && (schedule.next_run_at ?? at) < end);
}

/**
 * Cancels a schedule with its planned executions and retries; the receiver is notified. A call in progress goes on and
 * ends its own run. A one-time schedule in progress ends with that run, so it stays as it is here; so does a schedule
 * that is over.
 */
export async function cancelSuppressed(tx: Tx, schedule: ScheduleRow, at: number): Promise<ScheduleRow> {
  if (!OPEN_STATUSES.includes(schedule.status)) return schedule;
  const open = await openExecutions(tx, schedule.id);
  const isLive = open.some(({ status }) => status === 'in_progress');
  if (schedule.status === 'in_progress' && isLive) return schedule;
  // `shown_status`: the status word that a client chose no longer applies.
  let current = await setSchedule(
    tx,
    schedule,
    { status: 'cancelled', shown_status: null, cancelled_at: at, paused_at: null, next_run_at: null },
    at,
  );
  for (const execution of open) {
    if (execution.status !== 'in_progress')
      current = await endExecution(tx, current, execution, SUPPRESSED, at);
  }
  return current;
}
