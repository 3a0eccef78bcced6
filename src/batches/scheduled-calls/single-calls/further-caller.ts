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
  /** The rules of the policy. */
  rules: PolicyRules;
  wakeDialler(at: number): void;
}

/**
 * Makes further calls after the end of the live one, so that no person has two calls at once. The rows hold the
 * requests, so none is lost; the handle is locked, so none is made twice.
 */
export class FurtherCaller implements Work<string> {
  readonly name = 'further calls';
  readonly concurrency = 4;
  readonly #parts: FurtherCallerContext;

  constructor(parts: FurtherCallerContext) {
    this.#parts = parts;
  }

  claim(limit: number): Promise<string[]> {
    return this.#parts.store.read(furtherCallTransactions.wanted, { limit });
  }

  /** Ends are found by polling. */
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
      // An unavailable store says nothing about this call, which is found again.
      if (isUnavailable(error)) throw error;
      log.error({ err: error, call_id: callId }, 'a further call could not be made');
      await store.write(furtherCallTransactions.giveUp, { callId });
    }
  }
}
