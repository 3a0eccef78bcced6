import { answeringAgent, findCalledNumber, type Answering } from '#agents/answering.js';
import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import { defineTransactions } from '#store/transaction.js';

/** {@link answeringAgent} as a unit, as the calls module composes it into its own. */
export const answeringTransactions = defineTransactions('answering_test', {
  async answering(
    tx,
    args: { calledNumber: string; workspace: string; chosenId?: string; at: number },
  ): Promise<Answering & { isDefault: boolean }> {
    const number = await findCalledNumber(tx, args.calledNumber);
    const answering = await answeringAgent(tx, { ...args, number, providers: BUILT_IN_ONLY });
    const row = await tx.get('select is_default from agents where id = ?', answering.agent.id);
    return { ...answering, isDefault: row?.['is_default'] === 1 };
  },
});
