import { z } from 'zod';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import { FreeForm } from '#kernel/input/free-form.js';
import { jsonColumn } from '#store/statements/columns.js';
import { readRepaired, type Repaired } from '#store/statements/corrupt-row.js';
import type { SqlRow } from '#store/transaction.js';
import { batchMachine, recipientMachine, type BatchStatus, type RecipientStatus } from './batch-machine.js';
import { CallWindow } from '#policy/hours/call-window.js';
import { retryPolicyInput } from '#schedules/record/retry.js';

// Rows of batches (many calls from one request) and of their recipients, the numbers to call.

/** The limit of numbers in a batch. */
export const MAX_BATCH_NUMBERS = 10_000;

const text = z.string();
const instant = z.number().int();
const count = z.number().int();

/** Row of a batch; instants are epoch milliseconds. */
export const BatchRow = z.object({
  id: text,
  workspace: text,
  name: text,
  status: z.enum(batchMachine.states as [BatchStatus, ...BatchStatus[]]),
  /** The status word that a client chose last, while it fits; null for the status itself. */
  shown_status: text.nullable(),
  pause_reason: text.nullable(),
  /** Why the batch was aborted; null if it was not. */
  error: text.nullable(),
  agent_id: text,
  agent_name: text,
  /** Language of the agent when the batch was created (BCP 47). */
  language: text,
  from_phone: text,
  /** The requested time as written; null if none was named. */
  scheduled_time: text.nullable(),
  /** The instant of `scheduled_time`; without a requested time, the instant of the request. */
  scheduled_at: instant,
  /** The requested zone; null if none was named. */
  timezone: text.nullable(),
  /** The zone in which the time was read, named or not; null for an instant, and for rows of earlier releases. */
  local_timezone: text.nullable(),
  max_concurrency: count,
  call_window: jsonColumn(CallWindow).nullable(),
  retry_policy: jsonColumn(retryPolicyInput),
  metadata: jsonColumn(FreeForm),
  total_numbers: count,
  // Numbers by status, see `COUNTED_AS`.
  waiting: count,
  in_flight: count,
  succeeded: count,
  failed: count,
  skipped: count,
  cancelled: count,
  /** Of the successful calls. */
  talk_seconds: count,
  /** The known cost of all its calls. */
  cost_usd: z.number(),
  /** Calls whose cost is not completely known. */
  unknown_costs: count,
  budget_usd: z.number().nullable(),
  /** Recent ends of its calls, in the format of the circuit breaker. */
  recent_ends: text,
  /** How many of the newest calls in a row were carrier failures; see `circuit-breaker.ts`. */
  refusals_in_row: count,
  /** When the dispatcher considers the batch next; null if it need not. While loading: when the batch is given up. */
  feed_at: instant.nullable(),
  /** When the batch began: its time had come, or its first number was released to the dialler. */
  initiated_at: instant.nullable(),
  /** When its first number was released to the dialler. */
  started_at: instant.nullable(),
  ended_at: instant.nullable(),
  created_at: instant,
  updated_at: instant,
  deleted_at: instant.nullable(),
});
export type BatchRow = z.infer<typeof BatchRow>;

/** The reasons why the last attempt did not reach a number, or why it was not called. */
export const RECIPIENT_REASONS = [...ENDED_REASON_NAMES, 'duplicate', 'batch_aborted'] as const;
export type RecipientReason = (typeof RECIPIENT_REASONS)[number];

/** Row of a number of a batch. */
export const RecipientRow = z.object({
  batch_id: text,
  /** Index among the valid rows of the request, from 0. */
  position: count,
  /** The public handle of the number: the id of its first call. */
  call_id: text,
  /** The call of the last attempt; the first call before any attempt. */
  last_call_id: text,
  /** Empty after an erasure, like the name. */
  phone_number: text,
  name: text.nullable(),
  /** Name of this call; null for the batch's. */
  label: text.nullable(),
  /** Caller id of this number; null for the batch's. */
  from_phone: text.nullable(),
  status: z.enum(recipientMachine.states as [RecipientStatus, ...RecipientStatus[]]),
  /** As in {@link BatchRow}. */
  shown_status: text.nullable(),
  reason: z.enum(RECIPIENT_REASONS).nullable(),
  attempts: count,
  /** Time of this number as written; null for the batch's. */
  scheduled_time: text.nullable(),
  /** Instant of `scheduled_time`; null without one, and for rows of earlier releases. */
  scheduled_at: instant.nullable(),
  /** The zone in which `scheduled_time` was read; null for an instant. */
  timezone: text.nullable(),
  /** Not dialled before this instant; 0 means with the batch. */
  due_at: instant,
  /** Talk time of the last call. */
  duration_seconds: count,
  updated_at: instant,
  deleted_at: instant.nullable(),
});
export type RecipientRow = z.infer<typeof RecipientRow>;

/**
 * Reads a number of a batch even if its row is partly unreadable, for showing or closing it. Never for calling it.
 * @param status the status if that of the row is not readable
 */
export function readRecipient(row: SqlRow, status: RecipientStatus): Repaired<RecipientRow> {
  return readRepaired(RecipientRow, row, { status });
}

/** When a number is due: at a time of its own, possibly before its batch, or with the batch. */
export function dueAtOf(
  recipient: Pick<RecipientRow, 'due_at'>,
  batch: Pick<BatchRow, 'scheduled_at'>,
): number {
  return recipient.due_at === 0 ? batch.scheduled_at : recipient.due_at;
}
