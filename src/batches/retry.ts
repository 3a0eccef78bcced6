import { z } from 'zod';
import type { EndedReason } from '../calls/ended-reason.js';
import { optionalWithDefault } from '../kernel/fields.js';

/** What a try may end with that is worth another one (Interface: `retry_on`; `voicemail` and `failed` are ours). */
export const RETRY_REASONS = ['timeout', 'no_answer', 'busy', 'voicemail', 'failed'] as const;
export type RetryReason = (typeof RETRY_REASONS)[number];

const LONGEST_DELAY_SECONDS = 86_400;

/** `retry_policy` of a request (Interface: Scheduled call). */
export const retryPolicy = z
  .object({
    max_retries: optionalWithDefault(z.int().min(0).max(10), 3).meta({
      description: 'How many further tries a number may get.',
      examples: [2],
    }),
    retry_delay: optionalWithDefault(z.int().min(1).max(LONGEST_DELAY_SECONDS), 300).meta({
      description: 'Seconds from the end of a try to the next one.',
      examples: [60],
    }),
    exponential_backoff: optionalWithDefault(z.boolean(), false).meta({
      description: 'Whether each wait is twice the one before.',
      examples: [true],
    }),
    retry_on: optionalWithDefault(z.array(z.enum(RETRY_REASONS)).max(RETRY_REASONS.length), [
      'timeout',
      'no_answer',
      'busy',
    ]).meta({ description: 'What is worth another try.', examples: [['busy', 'no_answer']] }),
  })
  .meta({ id: 'BatchRetryPolicy', description: 'Whether and when a number is tried again.' });
export type RetryPolicy = z.infer<typeof retryPolicy>;

/** Of whoever asks for no retries. */
export const NO_RETRIES: RetryPolicy = {
  max_retries: 0,
  retry_delay: 300,
  exponential_backoff: false,
  retry_on: ['timeout', 'no_answer', 'busy'],
};

/** Ends of which the phone's owner knows nothing, and that another try may mend. */
const TECHNICAL: readonly EndedReason[] = [
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

/** How the end of a call is named in `retry_on`; null for ends that are never tried again. */
export function retryReasonOf(endedReason: EndedReason): RetryReason | null {
  if (endedReason === 'busy' || endedReason === 'no_answer' || endedReason === 'voicemail')
    return endedReason;
  if (endedReason === 'dial_timeout') return 'timeout';
  return TECHNICAL.includes(endedReason) ? 'failed' : null;
}

/**
 * When the next try is due, or null when there is none.
 * @param tries how many there were
 * @param endedAt when the last one was over (epoch milliseconds)
 */
export function nextTryAt(
  policy: RetryPolicy,
  last: { tries: number; endedReason: EndedReason; endedAt: number },
): number | null {
  const reason = retryReasonOf(last.endedReason);
  if (last.tries > policy.max_retries || reason === null || !policy.retry_on.includes(reason)) return null;
  const factor = policy.exponential_backoff ? 2 ** (last.tries - 1) : 1;
  return last.endedAt + Math.min(policy.retry_delay * factor, LONGEST_DELAY_SECONDS) * 1_000;
}
