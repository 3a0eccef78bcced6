import { purgeBySlices, type Purge } from '#housekeeping/purge.js';
import type { Store } from '#store/store.js';
import { idempotencyUnits } from '#idempotency/idempotency-store.js';
import { streamTokenUnits } from '#access/tokens/stream-token-store.js';

/** Forgets kept answers and stream tokens that have expired. */
export function accessPurges(store: Store): Purge[] {
  return [
    purgeBySlices((args) => store.write(idempotencyUnits.purge, args)),
    purgeBySlices((args) => store.write(streamTokenUnits.purge, args)),
  ];
}
