import { z } from 'zod';
import { durationSeconds, FreeForm, type CallRow } from '../../calls/record/call.js';
import type { CallStatus } from '../../calls/record/call-machine.js';
import { unreachedError } from '../../calls/record/ended-reason.js';
import { toInstant } from '../../kernel/clock.js';
import { instantOut } from '../../kernel/fields.js';
import { inChosenWord } from '../../schedules/record/status-words.js';
import {
  dueAtOf,
  RECIPIENT_REASONS,
  type BatchRow,
  type RecipientReason,
  type RecipientRow,
} from '../record/batch.js';
import {
  RECIPIENT_WIRE_STATUSES,
  recipientWireStatus,
  type RecipientWireStatus,
  type ScheduledCallStatus,
} from '../record/recipient-status.js';
import type { QueuedCallHandle } from './queued-call-handle.js';

const ID = 'call_01kakb8x6te1tr7m3qf0c9w2ab';

const fields = {
  id: z.string(),
  call_id: z.string(),
  object: z.literal('scheduled_call'),
  batch_id: z.string().nullable(),
  batch_name: z.string().nullable(),
  schedule_id: z.string().nullable(),
  name: z.string().meta({ description: "Its own name, or the batch's." }),
  callee_name: z.string().nullable(),
  to_number: z.string(),
  phone_number: z.string(),
  from_number: z.string(),
  scheduled_time: z.string().nullable().meta({ description: 'As it was sent.' }),
  scheduled_at: instantOut,
  status: z.enum(RECIPIENT_WIRE_STATUSES).meta({
    description:
      'scheduled, paused, in_progress, completed, failed or cancelled; or the synonym that was last ' +
      'set.',
  }),
  agent_id: z.string(),
  agent_name: z.string(),
  attempts: z.int().meta({ description: 'How many attempts were made.' }),
  last_call_id: z
    .string()
    .nullable()
    .meta({ description: 'The call of the last attempt, or of the one that waits; null before the first.' }),
  duration: z
    .int()
    .nullable()
    .meta({ description: 'Seconds of the last conversation; null before the first attempt.' }),
  reason: z.enum(RECIPIENT_REASONS).nullable().meta({ description: 'Why nobody was reached.' }),
  error: z.string().nullable().meta({ description: 'The reason as a sentence.' }),
  metadata: FreeForm,
  created_at: instantOut,
  updated_at: instantOut,
};

const example = {
  id: ID,
  call_id: ID,
  object: 'scheduled_call',
  batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
  batch_name: 'December reminders',
  schedule_id: null,
  name: 'December reminders',
  callee_name: 'Ada Lovelace',
  to_number: '+14155550123',
  phone_number: '+14155550123',
  from_number: '+14155550100',
  scheduled_time: '2026-12-01T15:00:00Z',
  scheduled_at: '2026-12-01T15:00:00.000Z',
  status: 'scheduled',
  agent_id: 'agent_01kakb8x6te1tr7m3qf0c9w2aa',
  agent_name: 'Receptionist',
  attempts: 0,
  last_call_id: null,
  duration: null,
  reason: null,
  error: null,
  metadata: {},
  created_at: '2026-11-21T00:00:00.000Z',
  updated_at: '2026-11-21T00:00:00.000Z',
} as const;

/** A call that waits for its time or its turn, and what became of it (our choice). */
export const scheduledCallResource = z.object(fields).meta({
  id: 'QueuedCall',
  description: 'One recipient of a batch, or a call that was requested for a time.',
  examples: [example],
});
export type ScheduledCallResource = z.infer<typeof scheduledCallResource>;

/** Answer of `PUT /batch/scheduled-calls/{call_id}`. */
export const scheduledCallUpdated = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call updated successfully'),
    ...fields,
  })
  .meta({ id: 'QueuedCallUpdated', description: 'A scheduled call that was changed.' });

/** Answer of `DELETE /batch/scheduled-calls/{call_id}`. */
export const scheduledCallDeleted = z
  .object({
    success: z.literal(true),
    message: z.literal('scheduled call deleted successfully'),
    id: z.string(),
    call_id: z.string(),
    batch_id: z.string().nullable(),
    object: z.enum(['scheduled_call', 'batch']),
    deleted: z.literal(true),
    status: z.string().meta({ description: 'Its status now.', examples: ['cancelled'] }),
    cancelled_calls: z
      .int()
      .optional()
      .meta({ description: 'For a batch: how many of its calls had not ended and are cancelled.' }),
  })
  .meta({
    id: 'QueuedCallDeleted',
    description: 'A scheduled call or batch that was deleted.',
    examples: [
      {
        success: true,
        message: 'scheduled call deleted successfully',
        id: ID,
        call_id: ID,
        batch_id: 'batch_01kakb8x6te1tr7m3qf0c9w2zd',
        object: 'scheduled_call',
        deleted: true,
        status: 'cancelled',
      },
    ],
  });
export type ScheduledCallDeleted = z.infer<typeof scheduledCallDeleted>;

/** A handle with all that is known of it. */
export interface ScheduledCall {
  /** The call that the handle is the id of. */
  call: CallRow;
  /** Its place in a batch; null for a call of its own. */
  member: { recipient: RecipientRow; batch: BatchRow } | null;
  /** What else there is of a call of its own; null for one of a batch. */
  single: SingleCall | null;
}

/** A call of its own, which may have been made more than once. */
export interface SingleCall {
  /** The call that the handle stands for now: its own, or the last further one. */
  latest: CallRow;
  /** How many of its calls were dialled. */
  attempts: number;
  /** Whether the latest stands in the dialler's queue, or is dialled; and whether it only waits there. */
  isQueued: boolean;
  isWaiting: boolean;
  /** What was asked for under the handle. */
  kept: QueuedCallHandle | null;
}

/** The call by which a handle is told. */
export function latestOf({ call, single }: Pick<ScheduledCall, 'call' | 'single'>): CallRow {
  return single?.latest ?? call;
}

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
  // One that waited for its turn when it was given a later time.
  const isPutOff = single?.isWaiting === true && scheduledAt !== null;
  const shown = isHeld ? 'paused' : isPutOff ? 'scheduled' : WIRE[status];
  return inChosenWord(shown, single?.kept?.shown_status ?? null);
}

/** One recipient, or one call that waits for its time, as it is answered. `now` is epoch milliseconds. */
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

/** When a call of its own was wanted last: as it was written, and as an instant. */
export function askedTime(scheduled: Pick<ScheduledCall, 'call' | 'single'>): {
  written: string | null;
  at: number;
} {
  const { next_time: written = null, next_due_at: at = null } = scheduled.single?.kept ?? {};
  if (at !== null) return { written, at };
  const { scheduled_time: ownTime, scheduled_at: ownAt, created_at: createdAt } = latestOf(scheduled);
  return { written: ownTime, at: ownAt ?? createdAt };
}

function scheduledAtOf(scheduled: ScheduledCall): number {
  const { member } = scheduled;
  return member ? dueAtOf(member.recipient, member.batch) : askedTime(scheduled).at;
}

function reasonOf(call: CallRow): RecipientReason | null {
  return call.status === 'failed' || call.status === 'cancelled' ? call.ended_reason : null;
}

/** Why nobody was reached, for people; null for calls that were, or are yet to come. */
export function errorOf(reason: RecipientReason | null): string | null {
  if (reason === null) return null;
  if (reason === 'duplicate') return 'the number is in the batch twice';
  if (reason === 'batch_aborted') return 'the batch was given up';
  return unreachedError(reason);
}
