import type { ModuleContext } from '#store/module-context.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { OnSuppressed } from '#policy/suppressions/suppressions.js';
import type { CallEndings } from './call-endings.js';
import { suppressedCallTransactions } from './suppressed-call-store.js';
import type { TxContexts } from './tx-contexts.js';

/** How many waiting calls one read returns. */
const CALLS_AT_ONCE = 100;

/** The dependencies of {@link SuppressionEnforcer}. */
export interface SuppressionEnforcerParts extends Pick<ModuleContext, 'store' | 'log'> {
  txContexts: TxContexts;
  endings: CallEndings;
  /** The rules of the calling policy. */
  rules: PolicyRules;
}

/**
 * Ends the waiting calls to newly suppressed numbers, and cancels what other modules have planned for them. Used when a
 * number is suppressed: by a request to the API, or by a person during a call (`storeOptOut`). A phone that rings
 * already goes on ringing. A call that is missed here is stopped by the policy right before dialling.
 */
export class SuppressionEnforcer {
  readonly #parts: SuppressionEnforcerParts;
  readonly #listeners: OnSuppressed[] = [];

  constructor(parts: SuppressionEnforcerParts) {
    this.#parts = parts;
  }

  /** Registers a listener of another module, which cancels the calls that the module has planned for a number. */
  onSuppressed(listener: OnSuppressed): void {
    this.#listeners.push(listener);
  }

  /**
   * Cancels the planned and waiting calls to these numbers. A waiting call stays if the suppression expires before the
   * call's time. The failure of one listener or call is logged, and does not stop the rest. Rejects if the waiting
   * calls cannot be read.
   */
  async enforce(numbers: { workspace: string; phoneNumbers: readonly string[] }): Promise<void> {
    const { store, log } = this.#parts;
    // The modules that plan calls come first, so that they create no further calls while the waiting ones are ended.
    for (const listener of this.#listeners) {
      await listener(numbers).catch((error: unknown) => {
        log.error({ err: error }, 'not all that is planned for a suppressed number was called off');
      });
    }
    // The id of the last call that was read; the ids are read in order.
    let after = '';
    while (numbers.phoneNumbers.length > 0) {
      const callIds = await store.read(suppressedCallTransactions.waiting, {
        ...numbers,
        after,
        limit: CALLS_AT_ONCE,
      });
      for (const callId of callIds) await this.#end(callId);
      after = callIds.at(-1) ?? '';
      if (callIds.length < CALLS_AT_ONCE) return;
    }
  }

  /** Ends one waiting call, unless it is dialled meanwhile or its time is after the suppression. */
  async #end(callId: string): Promise<void> {
    const { store, log, txContexts, endings, rules } = this.#parts;
    try {
      const details = txContexts.finish(callId, 'suppressed');
      endings.announce(await store.write(suppressedCallTransactions.end, { callId, details, rules }));
    } catch (error) {
      // The policy still stops this call before dialling; the others must not wait for it.
      log.error({ err: error, call_id: callId }, 'a call to a suppressed number was not called off');
    }
  }
}
