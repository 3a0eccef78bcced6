import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ENDED_REASON_NAMES } from '#calls/record/ended-reason.js';
import {
  nextAttempt,
  retryDelaySeconds,
  retryPolicyInput,
  retryReasonsOf,
  RETRY_REASONS,
} from '#schedules/record/retry.js';
import { cases } from '#test/support/tier.js';

const anyPolicy = fc.record({
  max_retries: fc.integer({ min: 0, max: 10 }),
  retry_delay: fc.integer({ min: 1, max: 86_400 }),
  exponential_backoff: fc.boolean(),
  retry_on: fc.subarray([...RETRY_REASONS]),
});
const anyReason = fc.constantFrom(...ENDED_REASON_NAMES);

describe('a retry policy', () => {
  it('has by default three retries after five minutes for unreached callees', () => {
    expect(retryPolicyInput.parse({})).toEqual({
      max_retries: 3,
      retry_delay: 300,
      exponential_backoff: false,
      retry_on: ['timeout', 'no_answer', 'busy'],
    });
  });

  it('waits as long as it says, twice as long each time if it says so, and never for more than a day', () => {
    const doubling = retryPolicyInput.parse({ retry_delay: 60, exponential_backoff: true, max_retries: 10 });
    const steady = retryPolicyInput.parse({ retry_delay: 60 });
    expect([1, 2, 3, 4].map((attempts) => retryDelaySeconds(doubling, attempts))).toEqual([
      60, 120, 240, 480,
    ]);
    expect([1, 2, 3].map((attempts) => retryDelaySeconds(steady, attempts))).toEqual([60, 60, 60]);
    expect(
      retryDelaySeconds(retryPolicyInput.parse({ retry_delay: 80_000, exponential_backoff: true }), 2),
    ).toBe(86_400);
  });

  it('gives a try after the end of the last one, never more than it allows, never for another reason', () => {
    fc.assert(
      fc.property(anyPolicy, anyReason, fc.integer({ min: 1, max: 12 }), (policy, endedReason, attempts) => {
        const endedAt = Date.UTC(2026, 10, 21);
        const next = nextAttempt(policy, { attempts, endedReason, endedAt });
        const reason = retryReasonsOf(endedReason).find((name) => policy.retry_on.includes(name));
        const isWanted = reason !== undefined && attempts <= policy.max_retries;
        expect(next !== null).toBe(isWanted);
        if (!next) return;
        const delaySeconds = (next.at - endedAt) / 1_000;
        expect(delaySeconds).toBe(
          Math.min(
            policy.exponential_backoff ? policy.retry_delay * 2 ** (attempts - 1) : policy.retry_delay,
            86_400,
          ),
        );
        expect(next.reason).toBe(reason);
      }),
      { numRuns: cases(300, 5_000) },
    );
  });

  it.each([
    'uncertain',
    'suppressed',
    'invalid_number',
    'cancelled',
    'customer_hangup',
    'premium_number',
  ] as const)('never gives one after %s', (endedReason) => expect(retryReasonsOf(endedReason)).toEqual([]));

  it('calls a carrier that does not connect in time a timeout: no phone rang in vain', () =>
    expect(retryReasonsOf('dial_timeout')).toEqual(['timeout']));

  it('knows by both its names that a phone rang in vain', () => {
    const endedAt = 0;
    const reasons = (['timeout', 'no_answer', 'busy'] as const).map((name) => {
      const policy = retryPolicyInput.parse({ retry_on: [name] });
      return nextAttempt(policy, { attempts: 1, endedReason: 'ring_timeout', endedAt })?.reason ?? null;
    });
    expect(reasons).toEqual(['timeout', 'no_answer', null]);
  });
});
