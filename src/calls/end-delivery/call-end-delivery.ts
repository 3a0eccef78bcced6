import type { ModuleContext } from '#store/module-context.js';
import { Loop } from '#kernel/work/loop.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { CallRow } from '#calls/record/call.js';
import { OWNERS, type OwnerKind } from './settlement.js';
import { CallEndWork, type CallOwner } from '#calls/end-delivery/call-end-work.js';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';

/**
 * How often deferred ends are retried: the obstacle may be gone, and a process may run for months without a restart.
 * Every failed retry writes one line to the log.
 */
const RETRY_EVERY_MS = 60 * 60_000;

type CallEndDeliveryContext = Pick<ModuleContext, 'store' | 'clock' | 'log'>;

/** Delivers the ends of calls to their owner. The rows mark undelivered ends, so none is missed. */
export class CallEndDelivery {
  readonly #owner: CallOwner;
  readonly #parts: CallEndDeliveryContext;
  readonly #loop: Loop<string>;
  readonly #rounds: PeriodicTask;
  #retrying: Promise<void> = Promise.resolve();

  constructor(owner: CallOwner, parts: CallEndDeliveryContext) {
    this.#owner = owner;
    this.#parts = parts;
    this.#loop = new Loop(new CallEndWork(owner, parts), parts);
    this.#rounds = new PeriodicTask(parts.clock, {
      everyMs: RETRY_EVERY_MS,
      run: () => this.#retryDeferred(),
    });
  }

  /** Also retries the ends that an earlier process had to defer. */
  start(): void {
    this.#retrying = this.#retryDeferred();
    this.#rounds.start();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#retrying, this.#rounds.stop(), this.#loop.stop()]);
  }

  /** Wakes the delivery if this owner owns the ended call. The row marks the end as well. */
  callEnded(call: Pick<CallRow, (typeof OWNERS)[OwnerKind]>): void {
    if (call[OWNERS[this.#owner.kind]] !== null) this.#loop.wake();
  }

  async #retryDeferred(): Promise<void> {
    const { store, log } = this.#parts;
    const { kind } = this.#owner;
    try {
      if ((await store.write(callEndTransactions.retryDeferred, { owner: kind })) > 0) this.#loop.wake();
    } catch (error) {
      log.error({ err: error, owner: kind }, 'ends of calls that were set aside were not taken up');
    }
  }
}
