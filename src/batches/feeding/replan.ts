import type { Clock } from '#kernel/time/clock.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { mirrorToCalls } from './mirror.js';
import { replanUnits } from './replan-store.js';

interface ReplanParts {
  store: Store;
  clock: Clock;
  /** What the calling policy goes by. */
  rules: PolicyRules;
}

/**
 * Plans batches anew by the time-zone data of now, and copies the new time to their calls; the feeder would not do that
 * for a batch whose time has come by then. Returns how many batches have moved.
 */
export async function replanBatches({ store, clock, rules }: ReplanParts): Promise<number> {
  const at = clock.wallMs();
  const moved = await store.write(replanUnits.replan, { at });
  for (const batchId of moved) await mirrorToCalls(store, { batchId, at, rules });
  return moved.length;
}
