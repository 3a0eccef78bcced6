import type { CallStatus } from '#calls/record/call-machine.js';
import { durationSeconds, type CallRow } from '#calls/record/call.js';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { toInstant } from '#kernel/time/clock.js';
import { inChosenWord } from '#schedules/record/status-words.js';
import type { ScheduleHandleRecord } from '#schedules/schedule-handle-store.js';
import { dueAtOf, type RecipientReason } from '#batches/record/batch.js';
import {
  recipientWireStatus,
  type RecipientWireStatus,
  type ScheduledCallStatus,
  errorOf,
} from '#batches/record/recipient-status.js';
import { askedTime, latestOf, type ScheduledCall } from '#batches/scheduled-calls/handles/scheduled-call.js';
import type { ScheduledCallDeleted, ScheduledCallResource } from './scheduled-call-resource.js';

const WIRE: Record<CallStatus, ScheduledCallStatus> = {
  queued: 'scheduled',
  initiated: 'in_progress',
  connecting: 'in_progress',
  connected: 'in_progress',
  active: 'in_progress',
  ending: 'in_progress',
  completed: 'completed',
  failed: 'failed',
  missed: 'failed',
  cancelled: 'cancelled',
};

function scheduledCallStatus(scheduled: ScheduledCall): RecipientWireStatus {
  const { member, single } = scheduled;
  if (member) return recipientWireStatus(member.recipient, member.batch);
  const { status, scheduled_at: scheduledAt } = latestOf(scheduled);
  const isHeld = status === 'queued' && !single?.isQueued;
  // A queued call that was deferred to a later time.
  const isPutOff = single?.isWaiting === true && scheduledAt !== null;
  const shown = isHeld ? 'paused' : isPutOff ? 'scheduled' : WIRE[status];
  return inChosenWord(shown, single?.kept?.shown_status ?? null);
}

/** The response for a recipient or a single call. `now` is epoch milliseconds. */
export function toScheduledCallResource(scheduled: ScheduledCall, now: number): ScheduledCallResource {
  const { call, member, single } = scheduled;
  const latest = latestOf(scheduled);
  const recipient = member?.recipient;
  const batch = member?.batch;
  const attempts = recipient?.attempts ?? single?.attempts ?? 0;
  const reason = recipient ? recipient.reason : reasonOf(latest);
  return {
    id: call.id,
    call_id: call.id,
    object: 'scheduled_call',
    batch_id: call.batch_id,
    batch_name: batch?.name ?? null,
    schedule_id: call.schedule_id,
    name: recipient?.label ?? batch?.name ?? latest.name ?? '',
    callee_name: recipient ? recipient.name : latest.name,
    to_number: call.to_phone,
    phone_number: call.to_phone,
    from_number:
      recipient?.from_phone ?? batch?.from_phone ?? single?.kept?.next_from_phone ?? latest.from_phone,
    scheduled_time: recipient?.scheduled_time ?? batch?.scheduled_time ?? askedTime(scheduled).written,
    scheduled_at: toInstant(scheduledAtOf(scheduled)),
    status: scheduledCallStatus(scheduled),
    agent_id: call.agent_id,
    agent_name: call.agent_name,
    attempts,
    last_call_id: attempts === 0 ? null : (recipient?.last_call_id ?? latest.id),
    duration: attempts === 0 ? null : (recipient?.duration_seconds ?? durationSeconds(latest, now)),
    reason,
    error: errorOf(reason),
    metadata: latest.metadata,
    created_at: toInstant(call.created_at),
    updated_at: toInstant(Math.max(latest.updated_at, recipient?.updated_at ?? 0)),
  };
}

function scheduledAtOf(scheduled: ScheduledCall): number {
  const { member } = scheduled;
  return member ? dueAtOf(member.recipient, member.batch) : askedTime(scheduled).at;
}

function reasonOf(call: CallRow): RecipientReason | null {
  return call.status === 'failed' || call.status === 'cancelled' ? call.ended_reason : null;
}

/** The response for a schedule. @param fromNumber caller id of schedules without one */
export function toScheduledCallOfSchedule(
  { schedule, agentName, attempts, last }: ScheduleHandleRecord,
  fromNumber: string,
): ScheduledCallResource {
  const { id, phone_number: number } = schedule;
  // A schedule armed again has not failed yet.
  const isAhead = schedule.kind === 'one_time' && last !== null && last.run < schedule.runs;
  const trouble = isAhead ? null : (last?.error ?? null);
  const reason = ENDED_REASON_NAMES.find((name) => name === trouble) ?? null;
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
    error: errorOf(reason) ?? trouble,
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
