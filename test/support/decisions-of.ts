import { decisionTransactions } from '#policy/decisions/decision-store.js';
import type { DecisionRow } from '#policy/decisions/decision-rows.js';
import type { Store } from '#store/store.js';

/** What the policy has decided about a number in the workspace `default`, the latest first; ten at most. */
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
