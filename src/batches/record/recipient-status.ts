import { inChosenWord, type StatusWord } from '#schedules/record/status-words.js';
import type { RecipientStatus } from './batch-machine.js';
import type { BatchRow, RecipientRow, RecipientReason } from './batch.js';
import { unreachedError } from '#calls/record/ended-reason.js';

// The statuses of recipients (numbers of a batch, which the API also calls scheduled calls) in responses.

/** The statuses of a recipient in responses, without synonyms. */
const SCHEDULED_CALL_STATUSES = [
  'scheduled',
  'paused',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ScheduledCallStatus = (typeof SCHEDULED_CALL_STATUSES)[number];

/** The statuses of a recipient in responses, including the synonyms that clients may choose. */
export const RECIPIENT_WIRE_STATUSES = [...SCHEDULED_CALL_STATUSES, 'pending', 'active', 'canceled'] as const;
export type RecipientWireStatus = ScheduledCallStatus | StatusWord;

/** The shown status for each stored status. */
const SHOWN_STATUS: Record<RecipientStatus, ScheduledCallStatus> = {
  pending: 'scheduled',
  retry_wait: 'scheduled',
  paused: 'paused',
  dialling: 'in_progress',
  succeeded: 'completed',
  failed: 'failed',
  expired: 'failed',
  skipped: 'failed',
  cancelled: 'cancelled',
};

/**
 * The shown status of a number, without regard to a pause of its batch or to synonyms. A duplicate, which is stored as
 * skipped, is shown as cancelled.
 */
export function recipientStatus({
  status,
  reason,
}: Pick<RecipientRow, 'status' | 'reason'>): ScheduledCallStatus {
  return reason === 'duplicate' ? 'cancelled' : SHOWN_STATUS[status];
}

/**
 * The status of a number in responses: a waiting number of a paused batch is paused, and a synonym that the client
 * chose (`shown_status`) is kept.
 */
export function recipientWireStatus(
  recipient: Pick<RecipientRow, 'status' | 'shown_status' | 'reason'>,
  batch: Pick<BatchRow, 'status'>,
): RecipientWireStatus {
  const withoutPause = recipientStatus(recipient);
  const status = withoutPause === 'scheduled' && batch.status === 'paused' ? 'paused' : withoutPause;
  return inChosenWord(status, recipient.shown_status);
}

/** The reason for which a number was not reached, in words for clients; null without a reason. */
export function errorOf(reason: RecipientReason | null): string | null {
  if (reason === null) return null;
  if (reason === 'duplicate') return 'the number is in the batch twice';
  if (reason === 'batch_aborted') return 'the batch was given up';
  return unreachedError(reason);
}
