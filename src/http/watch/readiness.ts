import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';

/** One thing that must be well for this process to be given work. */
export interface ReadinessCheck {
  /** Such as `database`; the key under `checks` of `/health/ready`. */
  name: string;
  /** Resolves when it is well, rejects when it is not. */
  check(): Promise<void>;
}

export type CheckResult = 'ok' | 'failed' | 'timeout';

const LONGEST_CHECK_MS = 2_000;

/** Asks all checks at once; one that does not answer in time counts as not well. */
export async function runChecks(
  checks: readonly ReadinessCheck[],
  clock: Clock,
): Promise<Record<string, CheckResult>> {
  const results = await Promise.all(
    checks.map(async (check) => [check.name, await run(check, clock)] as const),
  );
  return Object.fromEntries(results);
}

function run({ check }: ReadinessCheck, clock: Clock): Promise<CheckResult> {
  const answer = check().then(
    () => 'ok' as const,
    () => 'failed' as const,
  );
  return withTimeout(answer, { clock, limitMs: LONGEST_CHECK_MS, onTimeout: () => 'timeout' as const });
}
