import type { Clock } from '../../kernel/time/clock.js';
import type { PolicyRules } from '../../policy/deciding/policy-rules.js';
import type { Store } from '../../store/store.js';
import { mirrorUnits } from './mirror-store.js';
import { replanUnits } from './replan-store.js';

interface ReplanParts {
  store: Store;
  clock: Clock;
  /** What the calling policy goes by. */
  rules: PolicyRules;
}

/**
 * Plans batches anew by the time-zone data of now, and lets their calls tell the same: also those of one whose time has
 * come by that, at which the feeder looks no more. Returns how many batches have moved.
 */
export async function replanBatches({ store, clock, rules }: ReplanParts): Promise<number> {
  const at = clock.wallMs();
  const moved = await store.write(replanUnits.replan, { at });
  for (const batchId of moved) {
    let isMore = true;
    while (isMore) isMore = await store.write(mirrorUnits.mirror, { batchId, at, rules });
  }
  return moved.length;
}
