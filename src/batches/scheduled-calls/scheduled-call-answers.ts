import { durationSeconds, type CallRow } from '#calls/record/call.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
import { inChosenWord } from '#schedules/record/status-words.js';
import type { ScheduleHandleRecord } from '#schedules/schedule-handle-store.js';
import { dueAtOf, type RecipientReason } from '#batches/record/batch.js';
import { recipientWireStatus, type RecipientWireStatus, errorOf } from '#batches/record/recipient-status.js';
import { askedTime, SHOWN_STATUS, type ScheduledCall } from './scheduled-call.js';
import type { ScheduledCallDeleted, ScheduledCallResource } from './scheduled-call-resource.js';

// Builds the responses about recipients, single calls and schedules under `/batch/scheduled-calls`, for
// `ScheduledCalls`.

/** The status of a recipient or a single call in the API, or its synonym that the client chose. */
function statusOf({ call, member, single }: ScheduledCall): RecipientWireStatus {
  if (member) return recipientWireStatus(member.recipient, member.batch);
  const isPaused = call.status === 'queued' && !single?.hasAttempt;
  // Dialling has begun, but the calling policy has deferred the call: it waits in the queue again.
  const isDeferred = single?.isInDialQueue === true && call.scheduled_at !== null;
  const shown = isPaused ? 'paused' : isDeferred ? 'scheduled' : SHOWN_STATUS[call.status];
  return inChosenWord(shown, single?.shownStatus ?? null);
}

/** The response for a recipient or a single call. `now` is epoch milliseconds. */
export function toScheduledCallResource(scheduled: ScheduledCall, now: number): ScheduledCallResource {
  const { call, member } = scheduled;
  const recipient = member?.recipient;
  const batch = member?.batch;
  const attempts = recipient?.attempts ?? (call.started_at === null ? 0 : 1);
  const reason = recipient ? recipient.reason : reasonOf(call);
  return {
    id: call.id,
    call_id: call.id,
    object: 'scheduled_call',
    batch_id: call.batch_id,
    batch_name: batch?.name ?? null,
    schedule_id: call.schedule_id,
    name: recipient?.label ?? batch?.name ?? call.name ?? '',
    callee_name: recipient ? recipient.name : call.name,
    to_number: call.to_phone,
    phone_number: call.to_phone,
    from_number: recipient?.from_phone ?? batch?.from_phone ?? call.from_phone,
    scheduled_time: recipient?.scheduled_time ?? batch?.scheduled_time ?? call.scheduled_time,
    scheduled_at: toInstant(member ? dueAtOf(member.recipient, member.batch) : askedTime(call).at),
    status: statusOf(scheduled),
    agent_id: call.agent_id,
    agent_name: call.agent_name,
    attempts,
    last_call_id: attempts === 0 ? null : (recipient?.last_call_id ?? call.id),
    duration: attempts === 0 ? null : (recipient?.duration_seconds ?? durationSeconds(call, now)),
    reason,
    error: errorOf(reason),
    metadata: call.metadata,
    created_at: toInstant(call.created_at),
    updated_at: toInstant(Math.max(call.updated_at, recipient?.updated_at ?? 0)),
  };
}

/** Why a single call reached no person; null for a call that did, or is not over. */
function reasonOf(call: CallRow): RecipientReason | null {
  return call.status === 'failed' || call.status === 'cancelled' ? call.ended_reason : null;
}

/** The response for a schedule. @param fromNumber caller id of schedules without one */
export function toScheduledCallOfSchedule(
  { schedule, agentName, attempts, last }: ScheduleHandleRecord,
  fromNumber: string,
): ScheduledCallResource {
  const { id, phone_number: number } = schedule;
  // A one-time schedule that was armed again has its run ahead: the error of the run before no longer counts.
  const isAhead = schedule.kind === 'one_time' && last !== null && last.run < schedule.runs;
  const lastError = isAhead ? null : (last?.error ?? null);
  const reason = ENDED_REASON_NAMES.find((name) => name === lastError) ?? null;
  return {
    id,
    call_id: id,
    object: 'scheduled_call',
    batch_id: null,
    batch_name: null,
    schedule_id: id,
    name: schedule.name ?? '',
    callee_name: null,
    to_number: number,
    phone_number: number,
    from_number: schedule.from_phone ?? fromNumber,
    scheduled_time: schedule.scheduled_time,
    scheduled_at: toInstant(schedule.scheduled_at ?? schedule.next_run_at ?? schedule.created_at),
    status: inChosenWord(schedule.status, schedule.shown_status),
    agent_id: schedule.agent_id,
    agent_name: agentName,
    attempts,
    last_call_id: schedule.last_call_id,
    duration: last?.duration ?? null,
    reason,
    error: errorOf(reason) ?? lastError,
    metadata: schedule.metadata,
    created_at: toInstant(schedule.created_at),
    updated_at: toInstant(schedule.updated_at),
  };
}

/** The response to a deletion. */
export function toDeleted(
  id: string,
  {
    batchId,
    object,
    status,
  }: { batchId: string | null; object: ScheduledCallDeleted['object']; status: string },
): ScheduledCallDeleted {
  return {
    success: true,
    message: 'scheduled call deleted successfully',
    id,
    call_id: id,
    batch_id: batchId,
    object,
    deleted: true,
    status,
  };
}
