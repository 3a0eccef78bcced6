import type { ModuleContext } from '#store/module-context.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Work } from '#kernel/work/loop.js';
import type { OwnerKind } from './settlement.js';
import { callEndTransactions } from '#calls/end-delivery/call-end-store.js';

/** An owner of calls: batches or schedules. */
export interface CallOwner {
  kind: OwnerKind;
  /** Applies the end of a call to the owner's records, once. */
  apply(callId: string): Promise<void>;
}

/** The dependencies of {@link CallEndWork}. */
type CallEndWorkContext = Pick<ModuleContext, 'store' | 'log'>;

/** The work of the loop in `CallEndDelivery`: applies the undelivered ends of one owner's calls. */
export class CallEndWork implements Work<string> {
  readonly name: string;
  readonly concurrency = 100;
  readonly #owner: CallOwner;
  readonly #parts: CallEndWorkContext;
  /** The ids of the calls whose ends are being applied. */
  readonly #applying = new Set<string>();

  constructor(owner: CallOwner, parts: CallEndWorkContext) {
    this.name = `${owner.kind} ends`;
    this.#owner = owner;
    this.#parts = parts;
  }

  /** Takes the next undelivered ends; {@link perform} applies each. */
  async claim(limit: number): Promise<string[]> {
    const { kind: owner } = this.#owner;
    // Ends that are being applied are read, too, because they still count as undelivered.
    const readLimit = limit + this.#applying.size;
    const callIds = await this.#parts.store.read(callEndTransactions.undelivered, {
      owner,
      limit: readLimit,
    });
    const claimed = callIds.filter((callId) => !this.#applying.has(callId)).slice(0, limit);
    for (const callId of claimed) this.#applying.add(callId);
    return claimed;
  }

  /** Null: ends that this process writes wake the loop, and its longest sleep (1 s) is soon enough for other ends. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(callId: string): Promise<void> {
    const { store, log } = this.#parts;
    try {
      await this.#owner.apply(callId);
    } catch (error) {
      // An unavailable store says nothing about this end: the loop finds it again.
      if (isUnavailable(error)) throw error;
      const owner = this.#owner.kind;
      log.error(
        { err: error, call_id: callId, owner },
        'the end of a call could not be applied to its owner',
      );
      await store.write(callEndTransactions.defer, { callId });
    } finally {
      this.#applying.delete(callId);
    }
  }
}
