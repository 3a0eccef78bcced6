import { purgeBySlices, type Purge } from '#housekeeping/purge.js';
import type { Store } from '#store/store.js';
import { decisionUnits } from '#policy/decisions/decision-store.js';
import { suppressionUnits } from '#policy/suppressions/suppression-store.js';

const DAY_MS = 86_400_000;

/**
 * What the policy need not know any more: decisions that are older than `keptDays`, and entries of the suppression list
 * that have ended.
 * @param keptDays at least as long as attempt caps look back
 */
export function policyPurges(store: Store, keptDays: number): Purge[] {
  return [
    purgeBySlices(({ now, limit }) =>
      store.write(decisionUnits.purge, { decidedBefore: now - keptDays * DAY_MS, limit }),
    ),
    purgeBySlices((args) => store.write(suppressionUnits.purge, args)),
  ];
}
