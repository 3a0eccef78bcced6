import { defineMachine } from '#kernel/work/machine.js';

/**
 * The life cycle of a batch (docs/states.md):
 *
 *     loading → scheduled → initiated → in_progress → completed, failed
 *                   └───────────┴──⇄ paused ⇄─┘  └──→ cancelled
 *
 * `scheduled`, `initiated` and `paused` can also lead to each of the three ends. `loading` is never shown: the rows of
 * a batch are stored in slices, and the batch is visible whole or not at all. Only the request `retry-failed` reopens a
 * finished batch.
 */
export const batchMachine = defineMachine({
  loading: { rank: 0, to: ['scheduled'] },
  scheduled: { rank: 1, to: ['initiated', 'paused', 'completed', 'failed', 'cancelled'] },
  initiated: { rank: 2, to: ['in_progress', 'paused', 'completed', 'failed', 'cancelled'] },
  in_progress: { rank: 3, to: ['paused', 'completed', 'failed', 'cancelled'] },
  paused: { rank: 3, to: ['scheduled', 'initiated', 'in_progress', 'completed', 'failed', 'cancelled'] },
  completed: { rank: 4, to: ['in_progress'] },
  failed: { rank: 4, to: ['in_progress'] },
  cancelled: { rank: 4, to: ['in_progress'] },
});

export type BatchStatus = keyof typeof batchMachine.rules;

/**
 * True for a batch that releases no more numbers. Calls that were dialled go on: `ended_at` is set after the last of
 * these calls.
 */
export function isOver(status: BatchStatus): boolean {
  return status === 'completed' || status === 'failed' || status === 'cancelled';
}

/**
 * The life cycle of a number (recipient) of a batch. `dialling` lasts from queueing its call until the end of that call
 * is settled, or until the call is taken back from the queue. `retry_wait` waits for another attempt. `paused` is a
 * number that a client has paused alone, without its batch. `skipped` is a duplicate, or a number that the policy
 * does not let the service call; `expired` is a number whose call was not dialled in time. `retry-failed` leads back
 * from `failed` and `expired`, and from `cancelled` if the batch was aborted (`batch_aborted`).
 */
export const recipientMachine = defineMachine({
  pending: { rank: 0, to: ['dialling', 'paused', 'skipped', 'cancelled'] },
  paused: { rank: 1, to: ['pending', 'retry_wait', 'cancelled'] },
  dialling: {
    rank: 2,
    to: ['pending', 'retry_wait', 'succeeded', 'failed', 'skipped', 'cancelled', 'expired'],
  },
  retry_wait: { rank: 3, to: ['dialling', 'paused', 'skipped', 'cancelled', 'failed'] },
  succeeded: { rank: 4, to: [] },
  failed: { rank: 4, to: ['retry_wait'] },
  expired: { rank: 4, to: ['retry_wait'] },
  skipped: { rank: 4, to: [] },
  cancelled: { rank: 4, to: ['retry_wait'] },
});

export type RecipientStatus = keyof typeof recipientMachine.rules;

/** The column of `batches` that counts a number, by the status of the number. */
export const COUNTED_AS = {
  pending: 'waiting',
  paused: 'waiting',
  retry_wait: 'waiting',
  dialling: 'in_flight',
  succeeded: 'succeeded',
  failed: 'failed',
  expired: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
} as const satisfies Record<RecipientStatus, string>;

/** True for the status of a number that waits for its first or another attempt, or is paused. */
export function isWaiting(status: RecipientStatus): boolean {
  return COUNTED_AS[status] === 'waiting';
}
