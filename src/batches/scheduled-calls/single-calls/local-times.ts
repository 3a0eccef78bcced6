import type { Clock } from '#kernel/time/clock.js';
import type { PolicyRules } from '#policy/deciding/policy-rules.js';
import type { Store } from '#store/store.js';
import { localTimeUnits } from './local-time-store.js';

interface LocalTimesParts {
  store: Store;
  clock: Clock;
  /** The rules of the policy. */
  rules: PolicyRules;
}

/**
 * Replans local times of single calls and of batch numbers after a change of time-zone data. Runs before anything is
 * dialled. Returns the number of moved times.
 */
export async function replanLocalTimes({ store, clock, rules }: LocalTimesParts): Promise<number> {
  const at = clock.wallMs();
  let moved = 0;
  for (const replan of [
    (after: string) => store.write(localTimeUnits.ofNumbers, { after, at }),
    (after: string) => store.write(localTimeUnits.ofCalls, { after, at, rules }),
    (after: string) => store.write(localTimeUnits.ofFurtherCalls, { after, at }),
  ]) {
    let after: string | null = '';
    while (after !== null) {
      const part: Awaited<ReturnType<typeof replan>> = await replan(after);
      moved += part.moved;
      after = part.last;
    }
  }
  return moved;
}
