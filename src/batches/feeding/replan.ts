import type { Clock } from '#kernel/time/clock.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { mirrorToCalls } from './mirror.js';
import { replanUnits } from './replan-store.js';

interface ReplanParts {
  store: Store;
  clock: Clock;
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Replans batches after a change of time-zone data and syncs their calls at once: the dispatcher does not sync a batch
 * that is due by then. Returns the number of batches that moved.
 */
export async function replanBatches({ store, clock, rules }: ReplanParts): Promise<number> {
  const at = clock.wallMs();
  const moved = await store.write(replanUnits.replan, { at });
  for (const batchId of moved) await mirrorToCalls(store, { batchId, at, rules });
  return moved.length;
}
