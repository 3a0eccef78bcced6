import { z } from 'zod';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { jsonColumn } from '#store/statements/columns.js';
import { readMended, type Mended } from '#store/statements/mending.js';
import type { SqlRow } from '#store/unit.js';
import { batchMachine, recipientMachine, type BatchStatus, type RecipientStatus } from './batch-machine.js';
import { CallWindow } from '#policy/hours/call-window.js';
import { retryPolicyInput } from '#schedules/record/retry.js';

/** How many numbers a batch may have (our choice). */
export const LARGEST_BATCH = 10_000;

/** So long after its time a call may begin that had to wait for the one before; later nobody expects it any more. */
export const FOLLOWS_WITHIN_MS = 3_600_000;

const text = z.string();
const instant = z.number().int();
const count = z.number().int();

/** A batch as its row holds it; instants are epoch milliseconds. */
export const BatchRow = z.object({
  id: text,
  workspace: text,
  name: text,
  status: z.enum(batchMachine.states as [BatchStatus, ...BatchStatus[]]),
  /** The word for the status that a client chose last, where it means the same; null for ours. */
  shown_status: text.nullable(),
  pause_reason: text.nullable(),
  /** Why it was given up; null unless it was. */
  error: text.nullable(),
  agent_id: text,
  agent_name: text,
  /** Of the agent, as it was when the batch was made (BCP 47). */
  language: text,
  from_phone: text,
  scheduled_time: text.nullable(),
  scheduled_at: instant,
  /** In which it was asked for; null where no zone was named. */
  timezone: text.nullable(),
  /** In which it was read, named or not; null where it is an instant, and where an earlier release has read it. */
  local_timezone: text.nullable(),
  max_concurrency: count,
  call_window: jsonColumn(CallWindow).nullable(),
  retry_policy: jsonColumn(retryPolicyInput),
  metadata: jsonColumn(FreeForm),
  total_numbers: count,
  // How many of its numbers stand where, by `COUNTED_AS`.
  waiting: count,
  in_flight: count,
  succeeded: count,
  failed: count,
  skipped: count,
  cancelled: count,
  talk_seconds: count,
  cost_usd: z.number(),
  /** How many of its calls had a cost that is not wholly known. */
  unknown_costs: count,
  budget_usd: z.number().nullable(),
  /** How calls of it ended lately, in the words of the circuit breaker, who alone reads them. */
  recent_ends: text,
  /** Calls in a row that the carrier did not take or broke. */
  refusals_in_row: count,
  feed_at: instant.nullable(),
  initiated_at: instant.nullable(),
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

/** Why a number was not reached, or not called at all. */
export const RECIPIENT_REASONS = [...ENDED_REASON_NAMES, 'duplicate', 'batch_aborted'] as const;
export type RecipientReason = (typeof RECIPIENT_REASONS)[number];

/** One number of a batch as its row holds it. */
export const RecipientRow = z.object({
  batch_id: text,
  /** Where it stood in the request, from 0. */
  position: count,
  /** Its public handle: the id of its first call. */
  call_id: text,
  last_call_id: text,
  /** Empty once it is erased, as is its name. */
  phone_number: text,
  name: text.nullable(),
  /** A name of its own for this call; the batch's when null. */
  label: text.nullable(),
  /** A caller id of its own; the batch's when null. */
  from_phone: text.nullable(),
  status: z.enum(recipientMachine.states as [RecipientStatus, ...RecipientStatus[]]),
  shown_status: text.nullable(),
  reason: z.enum(RECIPIENT_REASONS).nullable(),
  attempts: count,
  /** A time of its own, as it was written; the batch's when null. */
  scheduled_time: text.nullable(),
  /** The instant for which that was taken; null without one, and for one that was given by an earlier release. */
  scheduled_at: instant.nullable(),
  /** In which it was read; null where it is an instant by itself. */
  timezone: text.nullable(),
  /** Not dialled before this instant; 0 until something says otherwise. */
  due_at: instant,
  /** Of the talk of its last call. */
  duration_seconds: count,
  updated_at: instant,
  deleted_at: instant.nullable(),
});
export type RecipientRow = z.infer<typeof RecipientRow>;

/**
 * A number of a batch whatever is wrong with its row; for whoever shows it, or closes it. Nobody may be called by what
 * is left of it.
 * @param status where it is taken to stand if its row does not say it
 */
export function readRecipient(row: SqlRow, status: RecipientStatus): Mended<RecipientRow> {
  return readMended(RecipientRow, row, { status });
}

/** When a number is to be called: at a time of its own, which may be before that of its batch, or with the batch. */
export function dueAtOf(
  recipient: Pick<RecipientRow, 'due_at'>,
  batch: Pick<BatchRow, 'scheduled_at'>,
): number {
  return recipient.due_at === 0 ? batch.scheduled_at : recipient.due_at;
}
