import type { CallErasure } from '#calls/erasure/erase-call.js';
import type { Store } from '#store/store.js';
import { erasureUnits } from './erasure-store.js';

/** Erases calls together with the personal data in their batch rows, unless the batch will call the number again. */
export function createCallErasure(store: Store): CallErasure {
  return {
    erase: (call) => store.write(erasureUnits.erase, call),
    old: (walk) => store.read(erasureUnits.old, walk),
  };
}
