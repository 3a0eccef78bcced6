import type { CallErasure } from '#calls/erasure/erase-call.js';
import type { Store } from '#store/store.js';
import { erasureUnits } from './erasure-store.js';

/** Calls are erased with what their batches tell of whom they called, and not while a batch is to call them again. */
export function createCallErasure(store: Store): CallErasure {
  return {
    erase: (call) => store.write(erasureUnits.erase, call),
    old: (walk) => store.read(erasureUnits.old, walk),
  };
}
