import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { decisionTransactions } from '#policy/decisions/decision-store.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';

const DAY_MS = 86_400_000;

/**
 * Purges of decisions older than `keptDays`, and of expired suppressions.
 * @param keptDays at least as long as the longest attempt cap counts back
 */
export function policyPurges(store: Store, keptDays: number): Purge[] {
  return [
    purgeBySlices(({ now, limit }) =>
      store.write(decisionTransactions.purge, { decidedBefore: now - keptDays * DAY_MS, limit }),
    ),
    purgeBySlices((args) => store.write(suppressionTransactions.purge, args)),
  ];
}
