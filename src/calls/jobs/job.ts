import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';

/** The pieces of work that follow a call. */
export const JOB_KINDS = ['recording', 'analysis', 'upload', 'discard', 'price'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * The life of a piece of after-call work. `running` is leased to one process; a failed try leads back to `pending`, the
 * last one to `failed`. Work that is done is deleted; an analysis that is asked for again is new work.
 */
export const jobMachine = defineMachine({
  pending: { rank: 0, to: ['running'] },
  running: { rank: 1, to: ['pending', 'failed'] },
  failed: { rank: 2, to: [] },
});

type JobStatus = keyof typeof jobMachine.rules;

/** One piece of after-call work as its row holds it. */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  call_id: z.string(),
  status: z.enum(jobMachine.states as [JobStatus, ...JobStatus[]]),
  due_at: z.number().int(),
  attempts: z.number().int(),
  lease_until: z.number().int().nullable(),
});
export type Job = z.infer<typeof Job>;

/** What becomes of the talk of a call. */
export const TALK_KINDS = ['recording', 'analysis'] as const satisfies JobKind[];

/** What is done in object storage: a recording is taken there, or deleted there. */
export const STORAGE_KINDS = ['upload', 'discard'] as const satisfies JobKind[];

/** What a call has cost is asked of its carrier. */
export const PRICE_KINDS = ['price'] as const satisfies JobKind[];

/** After so many tries a piece of work is given up. */
export const MAX_JOB_ATTEMPTS = 6;

/** How long to wait after a failed try: 2 s, 8 s, 32 s … at most ten minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(2_000 * 4 ** (attempts - 1), 600_000);
}
