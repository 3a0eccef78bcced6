import { answeringAgent, answeringLookup, type Answering } from '#agents/answering.js';
import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import type { Lookup } from '#agents/definitions/lookup.js';
import { defineTransactions } from '#store/transaction.js';

/** {@link answeringAgent} and {@link answeringLookup} as units, as the calls module composes them into its own. */
export const answeringTransactions = defineTransactions('answering_test', {
  answering(
    tx,
    args: { calledNumber: string; workspace: string; chosenId?: string; at: number },
  ): Promise<Answering> {
    return answeringAgent(tx, { ...args, providers: BUILT_IN_ONLY });
  },

  lookup(tx, args: { calledNumber: string; workspace: string }): Promise<Lookup | null> {
    return answeringLookup(tx, { ...args, providers: BUILT_IN_ONLY });
  },
});
