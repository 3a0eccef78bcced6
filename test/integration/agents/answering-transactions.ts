import { inboundAgent, findCalledNumber, type InboundAgent } from '#agents/inbound-agent.js';
import { BUILT_IN_ONLY } from '#test/support/known-providers.js';
import { defineTransactions } from '#store/transaction.js';

/** {@link inboundAgent} as a unit, as the calls module composes it into its own. */
export const answeringTransactions = defineTransactions('answering_test', {
  async answering(
    tx,
    args: { calledNumber: string; workspace: string; chosenId?: string; at: number },
  ): Promise<InboundAgent & { isDefault: boolean }> {
    const number = await findCalledNumber(tx, args.calledNumber);
    const answering = await inboundAgent(tx, { ...args, number, providers: BUILT_IN_ONLY });
    const row = await tx.get('select is_default from agents where id = ?', answering.agent.id);
    return { ...answering, isDefault: row?.['is_default'] === 1 };
  },
});
