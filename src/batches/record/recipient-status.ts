import { inChosenWord, type StatusWord } from '#schedules/record/status-words.js';
import type { RecipientStatus } from './batch-machine.js';
import type { BatchRow, RecipientRow } from './batch.js';

/** How a scheduled call stands, for clients (our choice). */
export const SCHEDULED_CALL_STATUSES = [
  'scheduled',
  'paused',
  'in_progress',
  'completed',
  'failed',
  'cancelled',
] as const;
export type ScheduledCallStatus = (typeof SCHEDULED_CALL_STATUSES)[number];

/** Including the words that a client may have chosen for the same. */
export const RECIPIENT_WIRE_STATUSES = [...SCHEDULED_CALL_STATUSES, 'pending', 'active', 'canceled'] as const;
export type RecipientWireStatus = ScheduledCallStatus | StatusWord;

const WIRE: Record<RecipientStatus, ScheduledCallStatus> = {
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

/** A number waits while its batch is paused; one that is there twice is cancelled, not failed. */
export function recipientWireStatus(
  recipient: Pick<RecipientRow, 'status' | 'shown_status' | 'reason'>,
  batch: Pick<BatchRow, 'status'>,
): RecipientWireStatus {
  const own = recipient.reason === 'duplicate' ? 'cancelled' : WIRE[recipient.status];
  const status = own === 'scheduled' && batch.status === 'paused' ? 'paused' : own;
  return inChosenWord(status, recipient.shown_status);
}
