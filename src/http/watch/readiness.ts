import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';

/** A condition that must hold for this process to be ready. */
export interface ReadinessCheck {
  /** The key under `checks` of `/health/ready`, such as `database`. */
  name: string;
  /** Resolves if the condition holds, else rejects. */
  check(): Promise<void>;
}

/** The result of a check, as `/health/ready` shows it. */
export type CheckResult = 'ok' | 'failed' | 'timeout';

/** Timeout of one check. */
const LONGEST_CHECK_MS = 2_000;

/** Runs all checks at once, for `GET /health/ready`. Returns the results by name; never rejects. */
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
