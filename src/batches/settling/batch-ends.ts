import type { CallOwner } from '../../calls/owned-ends/end-work.js';
import type { Clock } from '../../kernel/time/clock.js';
import type { BatchFailpoint } from '../record/batch-failpoints.js';
import type { Ids } from '../../kernel/ids/ids.js';
import type { Store } from '../../store/store.js';
import { batchMoment } from '../record/batch-progress.js';
import { settleUnits } from './settle-store.js';

interface BatchEndsParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  /** A line of a batch may be free now. */
  nudgeFeeder(): void;
  failpoint?: BatchFailpoint | undefined;
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
