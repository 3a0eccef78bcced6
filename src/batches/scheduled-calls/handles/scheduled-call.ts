import type { CallRow } from '#calls/record/call.js';
import type { BatchRow, RecipientRow } from '#batches/record/batch.js';
import type { QueuedCallHandle } from './queued-call-handle.js';

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

/** When a call of its own was wanted last: as it was written, as an instant, and in which zone it was read. */
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
