import type { ModuleContext } from '#store/module-context.js';
import { Loop } from '#kernel/work/loop.js';
import { PeriodicTask } from '#kernel/work/periodic-task.js';
import type { CallRow } from '#calls/record/call.js';
import { OWNERS, type OwnerKind } from './settlement.js';
import { CallEndWork, type CallOwner } from '#calls/end-delivery/call-end-work.js';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';

/**
 * The interval at which deferred ends are tried again: what prevented their application may be gone. A start alone
 * would be too seldom, since a process may run for months. Each end that fails again writes one line to the log.
 */
const RETRY_EVERY_MS = 60 * 60_000;

/** The dependencies of {@link CallEndDelivery}. */
type CallEndDeliveryContext = Pick<ModuleContext, 'store' | 'clock' | 'log'>;

/**
 * Delivers the ends of calls to one owner, batches or schedules, which counts them. The column `unsettled` marks
 * undelivered ends, so none is missed. The batch service and the schedule service each create one.
 */
export class CallEndDelivery {
  readonly #owner: CallOwner;
  readonly #parts: CallEndDeliveryContext;
  readonly #loop: Loop<string>;
  readonly #retryTask: PeriodicTask;
  #retrying: Promise<void> = Promise.resolve();

  constructor(owner: CallOwner, parts: CallEndDeliveryContext) {
    this.#owner = owner;
    this.#parts = parts;
    this.#loop = new Loop(new CallEndWork(owner, parts), parts);
    this.#retryTask = new PeriodicTask(parts.clock, {
      everyMs: RETRY_EVERY_MS,
      run: () => this.#retryDeferred(),
    });
  }

  /** Starts the delivery; also retries the ends that an earlier process had to defer. */
  start(): void {
    this.#retrying = this.#retryDeferred();
    this.#retryTask.start();
    this.#loop.start();
  }

  async stop(): Promise<void> {
    await Promise.all([this.#retrying, this.#retryTask.stop(), this.#loop.stop()]);
  }

  /**
   * Wakes the loop if the ended call belongs to this owner. A missed wake only delays the delivery: the loop also looks
   * by itself.
   */
  callEnded(call: Pick<CallRow, (typeof OWNERS)[OwnerKind]>): void {
    if (call[OWNERS[this.#owner.kind]] !== null) this.#loop.wake();
  }

  /** Marks deferred ends as undelivered, so that the loop applies them again. Never rejects: a failure is logged. */
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
