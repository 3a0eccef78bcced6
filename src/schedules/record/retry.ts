import { z } from 'zod';
import type { EndedReason } from '#calls/record/ended-reason.js';
import { optionalWithDefault } from '#kernel/input/fields.js';

// Retry policies of schedules and batches: their schema, and the time of the next attempt after a failed attempt.

/** Ends of an attempt that may be retried (`retry_on` in openapi.json). */
export const RETRY_REASONS = ['timeout', 'no_answer', 'busy', 'voicemail', 'failed'] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

const MAX_DELAY_SECONDS = 86_400;
const DEFAULT_REASONS: RetryReason[] = ['timeout', 'no_answer', 'busy'];

const maxRetries = z
  .int()
  .min(0)
  .max(10)
  .meta({ description: 'How many retries a run may have.', examples: [3] });
const retryDelay = z
  .int()
  .min(1)
  .max(MAX_DELAY_SECONDS)
  .meta({ description: 'Seconds from the end of an attempt to the next one.', examples: [300] });
const exponentialBackoff = z.boolean().meta({
  description: `Whether each delay is twice the previous one; at most ${MAX_DELAY_SECONDS} seconds.`,
  examples: [true],
});
const retryOn = z
  .array(z.enum(RETRY_REASONS))
  .max(RETRY_REASONS.length)
  .meta({ description: 'The failures that are retried.', examples: [['busy', 'no_answer']] });

const MEANING = 'Whether and when a call that reached nobody is tried again.';

/** `retry_policy` of a response: all fields are present. */
export const retryPolicy = z
  .object({
    max_retries: maxRetries,
    retry_delay: retryDelay,
    exponential_backoff: exponentialBackoff,
    retry_on: retryOn,
  })
  .meta({ id: 'RetryPolicy', description: MEANING });

/** `retry_policy` of a request, and as it is stored. */
export const retryPolicyInput = z
  .object({
    max_retries: optionalWithDefault(maxRetries, 3),
    retry_delay: optionalWithDefault(retryDelay, 300),
    exponential_backoff: optionalWithDefault(exponentialBackoff, false),
    retry_on: optionalWithDefault(retryOn, DEFAULT_REASONS),
  })
  .meta({ id: 'RetryPolicyRequest', description: MEANING });
export type RetryPolicy = z.infer<typeof retryPolicy>;

/**
 * The policy of a schedule whose request has no `retry_policy`: no retries. A `retry_policy` that leaves out
 * `max_retries` has three.
 */
export const NO_RETRIES: RetryPolicy = {
  max_retries: 0,
  retry_delay: 300,
  exponential_backoff: false,
  retry_on: DEFAULT_REASONS,
};

/** Technical failures, which have nothing to do with the callee: another attempt may succeed. */
const TECHNICAL_FAILURES: readonly EndedReason[] = [
  'provider_rate_limited',
  'provider_unreachable',
  'provider_error',
  'stream_not_opened',
  'stream_error',
  'speech_provider_error',
  'agent_error',
  'no_capacity',
  'expired',
  'server_shutdown',
  'server_crash',
];

/**
 * The names in `retry_on` for an ended reason; empty for ends that are never retried, above all `uncertain`: the phone
 * may have rung, and must not ring twice. An unanswered ring (`ring_timeout`) has two names, since clients use either.
 * `dial_timeout`: the carrier did not connect the call in time.
 */
export function retryReasonsOf(endedReason: EndedReason): readonly RetryReason[] {
  if (endedReason === 'busy' || endedReason === 'no_answer' || endedReason === 'voicemail')
    return [endedReason];
  if (endedReason === 'ring_timeout') return ['timeout', 'no_answer'];
  if (endedReason === 'dial_timeout') return ['timeout'];
  return TECHNICAL_FAILURES.includes(endedReason) ? ['failed'] : [];
}

/** The end of an attempt, by which a retry policy decides about the next. */
export interface LastAttempt {
  /** Number of attempts so far, including this one. */
  attempts: number;
  endedReason: EndedReason;
  /** Epoch milliseconds. */
  endedAt: number;
}

/** Time (epoch milliseconds) and reason of the next attempt; null if there is none. */
export function nextAttempt(
  policy: RetryPolicy,
  last: LastAttempt,
): { at: number; reason: RetryReason } | null {
  const reason = retryReasonsOf(last.endedReason).find((name) => policy.retry_on.includes(name));
  if (last.attempts > policy.max_retries || reason === undefined) return null;
  return { at: last.endedAt + retryDelaySeconds(policy, last.attempts) * 1_000, reason };
}

/** Seconds from the end of the attempt with the number `attempts` (from 1) to the next attempt. */
export function retryDelaySeconds(policy: RetryPolicy, attempts: number): number {
  const factor = policy.exponential_backoff ? 2 ** (attempts - 1) : 1;
  return Math.min(policy.retry_delay * factor, MAX_DELAY_SECONDS);
}
