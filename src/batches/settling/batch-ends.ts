import type { CallOwner } from '#calls/end-delivery/call-end-work.js';
import type { Clock } from '#kernel/time/clock.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { batchTxContext } from '#batches/record/batch-progress.js';
import { settleTransactions } from './settle-store.js';

// Applies the ends of calls to their batches: after each call, and before a request to retry unreached numbers.

/** The dependencies of this file. */
interface BatchEndsContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** Wakes the dispatcher: the batch may make another call. */
  wakeDispatcher(): void;
}

/**
 * Settles the finished calls of a batch at once, so that a client that has seen the end of a call finds its effects.
 * @throws Problem `batch_not_found` if the workspace has no such batch
 */
export async function settleEndsOf(
  key: { workspace: string; id: string },
  { store, clock, ids }: Pick<BatchEndsContext, 'store' | 'clock' | 'ids'>,
): Promise<void> {
  for (const callId of await store.read(settleTransactions.unsettled, key))
    await store.write(settleTransactions.settle, { callId, context: batchTxContext(ids, clock.wallMs()) });
}

/** The owner for `CallEndDelivery`, which settles the ends of batch calls. */
export function batchEndOwner(parts: BatchEndsContext): CallOwner {
  const { store, clock, ids, wakeDispatcher } = parts;
  return {
    kind: 'batch',
    async apply(callId) {
      await store.write(settleTransactions.settle, { callId, context: batchTxContext(ids, clock.wallMs()) });
      wakeDispatcher();
    },
  };
}
