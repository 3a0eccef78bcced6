import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { retryDelayMs, retryPolicy } from '#webhooks/registrations/retry-policy.js';
import { cases } from '#test/support/tier.js';

const policies = fc.record({
  max_attempts: fc.integer({ min: 0, max: 20 }),
  backoff_multiplier: fc.double({ min: 1, max: 10, noNaN: true }),
  initial_delay_seconds: fc.integer({ min: 1, max: 86_400 }),
  max_delay_seconds: fc.integer({ min: 1, max: 86_400 }),
});
const chance = fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true });

function baseMs(
  policy: { initial_delay_seconds: number; backoff_multiplier: number; max_delay_seconds: number },
  retry: number,
): number {
  const grown = policy.initial_delay_seconds * policy.backoff_multiplier ** (retry - 1);
  return Math.min(grown, policy.max_delay_seconds) * 1_000;
}

describe('the wait before a retry', () => {
  it('is 60, 300 and 900 seconds by default, and then ends', () => {
    const waits = [1, 2, 3, 4].map((retry) =>
      retryDelayMs(retryPolicy.parse({}), retry, { chance: 0, askedMs: null }),
    );

    expect(waits).toEqual([60_000, 300_000, 900_000, null]);
  });

  it('is never shorter than planned and never more than a fifth longer', () => {
    fc.assert(
      fc.property(policies, fc.integer({ min: 1, max: 25 }), chance, (policy, retry, luck) => {
        const wait = retryDelayMs(policy, retry, { chance: luck, askedMs: null });
        if (retry > policy.max_attempts) return wait === null;
        const base = baseMs(policy, retry);
        return wait !== null && wait >= base && wait <= base * 1.2;
      }),
      { numRuns: cases(200, 1_000) },
    );
  });

  it('follows Retry-After between the planned delay and twice the delay or an hour', () => {
    fc.assert(
      fc.property(policies, chance, fc.integer({ min: 0, max: 10 ** 9 }), (policy, luck, askedMs) => {
        const wait = retryDelayMs(policy, 1, { chance: luck, askedMs });
        if (policy.max_attempts === 0) return wait === null;
        const base = baseMs(policy, 1);
        const most = Math.max(2 * base, 3_600_000);
        return wait !== null && wait >= base && wait <= most && (askedMs > most || wait >= askedMs);
      }),
      { numRuns: cases(200, 1_000) },
    );
  });
});
