import { purgeBySlices, type Purge } from '#housekeeping/retention-sweep.js';
import type { Store } from '#store/store.js';
import { decisionTransactions } from '#policy/decisions/decision-store.js';
import { suppressionTransactions } from '#policy/suppressions/suppression-store.js';

const DAY_MS = 86_400_000;

/**
 * The purges of the policy module, which housekeeping runs: decisions older than `keptDays`, and expired suppressions.
 * @param keptDays at least the longest period of an attempt cap
 */
export function policyPurges(store: Store, keptDays: number): Purge[] {
  return [
    purgeBySlices(({ now, limit }) =>
      store.write(decisionTransactions.purge, { decidedBefore: now - keptDays * DAY_MS, limit }),
    ),
    purgeBySlices((args) => store.write(suppressionTransactions.purge, args)),
  ];
}
