import type { TxContexts } from '#calls/endings/tx-contexts.js';
import type { Clock } from '#kernel/time/clock.js';
import { isUnavailable } from '#kernel/errors/errors.js';
import type { Ids } from '#kernel/ids/ids.js';
import type { Log } from '#kernel/log/log.js';
import type { Work } from '#kernel/work/loop.js';
import type { Store } from '#store/store.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import { furtherCallTransactions } from './further-call-store.js';

export interface FurtherCallerContext {
  store: Store;
  clock: Clock;
  ids: Ids;
  log: Log;
  txContexts: TxContexts;
  /** The rules of the calling policy. */
  rules: PolicyRules;
  wakeDialler(at: number): void;
}

/**
 * Makes further calls. A further call is a new attempt under the id (the handle) of a scheduled single call, requested
 * while the call before is still live; it is made after the end of that call, so that a person never has two calls at
 * once. The request is stored in the row of the handle and survives a restart; a lock on the row keeps two processes
 * from making the same call.
 */
export class NextCallWorker implements Work<string> {
  readonly name = 'further calls';
  readonly concurrency = 4;
  readonly #parts: FurtherCallerContext;

  constructor(parts: FurtherCallerContext) {
    this.#parts = parts;
  }

  /** Ids of handles whose further call can be made now. */
  claim(limit: number): Promise<string[]> {
    return this.#parts.store.read(furtherCallTransactions.wanted, { limit });
  }

  /** Null: the loop polls, as the end of a call does not wake it. */
  async nextDueAt(): Promise<null> {
    return null;
  }

  async perform(callId: string): Promise<void> {
    const { store, clock, ids, log, txContexts, rules, wakeDialler } = this.#parts;
    try {
      await store.write(furtherCallTransactions.make, {
        callId,
        ids: { callId: ids.next('call'), dialId: ids.next('dial') },
        context: txContexts.unannounced(),
        rules,
      });
      wakeDialler(clock.wallMs());
    } catch (error) {
      // The store is unavailable: the request stays in its row, and a later `claim` finds it.
      if (isUnavailable(error)) throw error;
      log.error({ err: error, call_id: callId }, 'a further call could not be made');
      await store.write(furtherCallTransactions.giveUp, { callId });
    }
  }
}
