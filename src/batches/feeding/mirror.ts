import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { mirrorUnits } from './mirror-store.js';

/** Syncs caller id and time of a batch to all of its queued calls, slice by slice; see {@link mirrorUnits}. */
export async function mirrorToCalls(
  store: Store,
  args: { batchId: string; at: number; rules: PolicyRules },
): Promise<void> {
  let isMore = true;
  while (isMore) isMore = await store.write(mirrorUnits.mirror, args);
}
