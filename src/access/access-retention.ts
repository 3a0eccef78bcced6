import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { idempotencyUnits } from '#idempotency/idempotency-store.js';
import { sessionUnits } from '#access/sessions/session-store.js';
import { streamTokenUnits } from '#access/tokens/stream-token.js';

/** Purges of expired idempotency keys, stream tokens and console sessions. */
export function accessPurges(store: Store): Purge[] {
  return [
    purgeBySlices((args) => store.write(idempotencyUnits.purge, args)),
    purgeBySlices((args) => store.write(streamTokenUnits.purge, args)),
    purgeBySlices((args) => store.write(sessionUnits.purge, args)),
  ];
}
