import { z } from 'zod';

/** The pieces of work that follow a call. */
export const JOB_KINDS = ['recording', 'analysis'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * One piece of after-call work as its row holds it: `pending → running → failed`, `running → pending` to retry. What is
 * done is gone: a call ends once, so that nothing can be asked for again.
 */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  call_id: z.string(),
  status: z.enum(['pending', 'running', 'failed']),
  due_at: z.number().int(),
  attempts: z.number().int(),
  lease_until: z.number().int().nullable(),
});
export type Job = z.infer<typeof Job>;

/** After so many tries a piece of work is given up. */
export const MAX_JOB_ATTEMPTS = 6;

/** How long to wait after a failed try: 2 s, 8 s, 32 s … at most ten minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(2_000 * 4 ** (attempts - 1), 600_000);
}
