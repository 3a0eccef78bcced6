import type { CallOwner } from '#calls/owned-ends/end-work.js';
import type { Clock } from '#kernel/time/clock.js';
import type { BatchFailpoint } from '#batches/record/batch-failpoints.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Store } from '#store/store.js';
import { batchMoment } from '#batches/record/batch-progress.js';
import { settleUnits } from './settle-store.js';

interface BatchEndsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** A line of a batch may be free now. */
  nudgeFeeder(): void;
  failpoint?: BatchFailpoint | undefined;
}

/**
 * Tells a batch at once of its calls that are over: whoever has seen the end of a call, and asks for what follows from
 * it, need not wait for the batch to hear of it.
 * @throws Problem `batch_not_found` when the workspace has no such batch; then nothing is told
 */
export async function hearEndsOf(
  key: { workspace: string; id: string },
  { store, clock, ids }: Pick<BatchEndsParts, 'store' | 'clock' | 'ids'>,
): Promise<void> {
  for (const callId of await store.read(settleUnits.unheard, key))
    await store.write(settleUnits.settle, { callId, moment: batchMoment(ids, clock.wallMs()) });
}

/** Batches, as those who hear of the ends of their calls. */
export function batchEnds(parts: BatchEndsParts): CallOwner {
  const { store, clock, ids, nudgeFeeder, failpoint } = parts;
  return {
    kind: 'batch',
    found: () => failpoint?.('batch.ends_found'),
    async apply(callId) {
      await store.write(settleUnits.settle, { callId, moment: batchMoment(ids, clock.wallMs()) });
      failpoint?.('batch.settled');
      nudgeFeeder();
    },
  };
}
