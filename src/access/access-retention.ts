import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { idempotencyTransactions } from '#idempotency/idempotency-store.js';
import { sessionTransactions } from '#access/sessions/session-store.js';
import { streamTokenTransactions } from '#access/tokens/stream-token.js';

/**
 * The purges of expired idempotency keys, stream tokens and console sessions, which the housekeeping's retention sweep
 * runs.
 */
export function accessPurges(store: Store): Purge[] {
  return [
    purgeBySlices((args) => store.write(idempotencyTransactions.purge, args)),
    purgeBySlices((args) => store.write(streamTokenTransactions.purge, args)),
    purgeBySlices((args) => store.write(sessionTransactions.purge, args)),
  ];
}
