import { z } from 'zod';

/** The schema of when a failed delivery is retried (docs/webhooks.md); by default after 60, 300 and 900 seconds. */
export const retryPolicy = z
  .object({
    max_attempts: z
      .int()
      .min(0)
      .max(20)
      .default(3)
      .meta({ description: 'Retries after the first delivery.', examples: [3] }),
    backoff_multiplier: z
      .number()
      .min(1)
      .max(10)
      .default(5)
      .meta({ description: 'Factor from each delay to the next.', examples: [5] }),
    initial_delay_seconds: z
      .number()
      .min(1)
      .max(86_400)
      .default(60)
      .meta({ description: 'Seconds before the first retry.', examples: [60] }),
    max_delay_seconds: z
      .number()
      .min(1)
      .max(86_400)
      .default(900)
      .meta({ description: 'The longest delay, in seconds.', examples: [900] }),
  })
  .meta({
    id: 'WebhookRetryPolicy',
    description: 'When a failed delivery is retried; by default after 60, 300 and 900 seconds.',
    examples: [{ max_attempts: 3, backoff_multiplier: 5, initial_delay_seconds: 60, max_delay_seconds: 900 }],
  });
export type RetryPolicy = z.output<typeof retryPolicy>;

/** The largest random share added to a delay, so that deliveries that failed together are not retried together. */
const JITTER = 0.2;
/**
 * A receiver may lengthen a delay by `Retry-After` up to an hour, or up to twice the delay of the policy if that is
 * more.
 */
const LONGEST_RETRY_AFTER_MS = 3_600_000;

/**
 * The delay before a retry (milliseconds), from the end of the previous attempt; null when no retry is left.
 * @param retry number of the retry, from 1
 * @param chance a random number, 0 to 1, for the jitter
 * @param askedMs the delay of `Retry-After`; it lengthens the delay up to a bound, and never shortens it
 */
export function retryDelayMs(
  policy: RetryPolicy,
  retry: number,
  { chance, askedMs }: { chance: number; askedMs: number | null },
): number | null {
  if (retry > policy.max_attempts) return null;
  const grown = policy.initial_delay_seconds * policy.backoff_multiplier ** (retry - 1);
  const baseMs = Math.min(grown, policy.max_delay_seconds) * 1_000;
  const [leastMs, mostMs] = [Math.ceil(baseMs), Math.floor(baseMs * (1 + JITTER))];
  const jitteredMs = leastMs + Math.floor((mostMs - leastMs) * chance);
  if (askedMs === null) return jitteredMs;
  return Math.max(jitteredMs, Math.min(askedMs, Math.max(2 * baseMs, LONGEST_RETRY_AFTER_MS)));
}
