import type { CallRow } from '#calls/record/call.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import type { QueuedCallHandle } from './queued-call-handle.js';

/** A handle with its state. */
export interface ScheduledCall {
  /** The call whose id is the handle. */
  call: CallRow;
  /** The recipient in a batch; null for a single call. */
  member: { recipient: RecipientRow; batch: BatchRow } | null;
  /** The state of a single call; null for a recipient of a batch. */
  single: SingleCall | null;
}

/** A single call, possibly with further attempts. */
export interface SingleCall {
  /** The latest call of the handle. */
  latest: CallRow;
  /** Number of dialled calls. */
  attempts: number;
  /** Whether the latest call is queued or being dialled, and whether it is still waiting. */
  isQueued: boolean;
  isWaiting: boolean;
  /** The stored state of the handle. */
  kept: QueuedCallHandle | null;
}

/** The call whose state represents the handle. */
export function latestOf({ call, single }: Pick<ScheduledCall, 'call' | 'single'>): CallRow {
  return single?.latest ?? call;
}

/** The last requested time of a single call: as written, as an instant, and the zone in which it was read. */
export function askedTime(scheduled: Pick<ScheduledCall, 'call' | 'single'>): {
  written: string | null;
  at: number;
  readIn: string | null;
} {
  const next = scheduled.single?.kept;
  if (next && next.next_due_at !== null)
    return { written: next.next_time, at: next.next_due_at, readIn: next.next_timezone };
  const { scheduled_time: written, scheduled_at: at, created_at, timezone } = latestOf(scheduled);
  return { written, at: at ?? created_at, readIn: timezone };
}
