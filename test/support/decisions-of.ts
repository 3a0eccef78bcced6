import { decisionTransactions } from '#policy/decisions/decision-store.js';
import type { DecisionRow } from '#policy/decisions/decision-rows.js';
import type { Store } from '#store/store.js';

/** The policy's decisions about a number in the workspace `default`, newest first, at most ten. */
export async function decisionsOf(
  { store }: { store: Store },
  phoneNumber: string,
): Promise<readonly DecisionRow[]> {
  const page = await store.read(decisionTransactions.list, {
    workspace: 'default',
    phoneNumber,
    cursor: null,
    limit: 10,
    verdict: undefined,
    decidedAfter: undefined,
    decidedBefore: undefined,
  });
  return page.items;
}
