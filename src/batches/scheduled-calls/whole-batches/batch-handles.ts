import type { Principal } from '#access/keys/principal.js';
import { Semaphore } from '#kernel/work/semaphore.js';
import { syncCalls } from '#batches/dispatch/sync-calls.js';
import { isOver } from '#batches/record/batch-machine.js';
import type { BatchRow } from '#batches/record/batch.js';
import { batchChangeTransactions } from './batch-change-store.js';
import type { HandleContext, HandleChange } from '#batches/scheduled-calls/handles/handle-change.js';

/** Concurrent hang-ups of a deleted batch. */
const HANG_UPS_AT_ONCE = 8;

/** Commands on batches by their handles. */
export class BatchHandles {
  readonly #parts: HandleContext;

  constructor(parts: HandleContext) {
    this.#parts = parts;
  }

  /** @throws Problem `invalid_state` */
  async update(principal: Principal, id: string, change: HandleChange, at: number): Promise<void> {
    const { store, closeOff, wakeDispatcher, settings } = this.#parts;
    const { rules } = settings;
    const batch = await store.write(batchChangeTransactions.change, {
      workspace: principal.workspace,
      id,
      change,
      at,
    });
    if (change.time || change.from !== undefined) await syncCalls(store, { batchId: id, at, rules });
    if (isOver(batch.status)) await closeOff(id);
    wakeDispatcher(at);
  }

  /** Deletes the batch: waiting calls are cancelled, live ones hung up. Returns their number. */
  async remove(principal: Principal, id: string): Promise<{ batch: BatchRow; cancelled: number }> {
    const { store, clock, closeOff, wakeDispatcher } = this.#parts;
    const at = clock.wallMs();
    const { workspace } = principal;
    const { live, ...removed } = await store.write(batchChangeTransactions.remove, { workspace, id, at });
    await closeOff(id);
    wakeDispatcher(at);
    const semaphore = new Semaphore(HANG_UPS_AT_ONCE);
    await Promise.all(live.map((callId) => semaphore.run(() => this.#hangUp(principal, callId))));
    return removed;
  }

  async #hangUp(principal: Principal, callId: string): Promise<void> {
    const { calls, log } = this.#parts;
    await calls.disconnect(principal, callId).catch((error: unknown) => {
      log.warn({ err: error, call_id: callId }, 'a call of a deleted batch was not hung up');
    });
  }
}
