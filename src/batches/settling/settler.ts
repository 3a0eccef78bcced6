import type { Clock } from '../../kernel/clock.js';
import { isUnavailable } from '../../kernel/errors.js';
import type { Failpoint } from '../../kernel/failpoint.js';
import type { Ids } from '../../kernel/ids.js';
import type { Log } from '../../kernel/log.js';
import type { Work } from '../../kernel/loop.js';
import type { Store } from '../../store/store.js';
import { batchMoment } from '../record/batch-progress.js';
import { settleUnits } from './settle-store.js';

export interface SettlerParts {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  /** A line of a batch may be free now. */
  nudgeFeeder(): void;
  failpoint?: Failpoint | undefined;
}

/** Tells batches of the ends of their calls. The rows say which they have yet to hear of, so none is missed. */
export class Settler implements Work<string> {
  readonly name = 'batch settler';
  readonly concurrency = 16;
  readonly #parts: SettlerParts;
  readonly #inHand = new Set<string>();

  constructor(parts: SettlerParts) {
    this.#parts = parts;
  }

  async claim(limit: number): Promise<string[]> {
    const asked = limit + this.#inHand.size;
    const callIds = await this.#parts.store.read(settleUnits.unsettled, { limit: asked });
    const fresh = callIds.filter((callId) => !this.#inHand.has(callId)).slice(0, limit);
    for (const callId of fresh) this.#inHand.add(callId);
    if (fresh.length > 0) this.#parts.failpoint?.('batch.ends_found');
    return fresh;
  }

  /** Ends are told of when they happen; those of other processes are found at the next look. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(callId: string): Promise<void> {
    const { store, clock, ids, log, nudgeFeeder, failpoint } = this.#parts;
    try {
      await store.write(settleUnits.settle, { callId, moment: batchMoment(ids, clock.wallMs()) });
      failpoint?.('batch.settled');
      nudgeFeeder();
    } catch (error) {
      // A store that is busy or away says nothing about this call: it is found again.
      if (isUnavailable(error)) throw error;
      log.error({ err: error, call_id: callId }, 'the end of a call could not be applied to its batch');
      await store.write(settleUnits.setAside, { callId });
    } finally {
      this.#inHand.delete(callId);
    }
  }

  /** Takes up what an earlier process could not apply. */
  async recover(): Promise<void> {
    await this.#parts.store.write(settleUnits.takeUp, {});
  }
}
