import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';

/** The pieces of work that follow a call. */
export const JOB_KINDS = ['recording', 'analysis', 'join', 'upload', 'discard', 'forget', 'price'] as const;
export type JobKind = (typeof JOB_KINDS)[number];

/**
 * The life cycle of an after-call job (docs/states.md). `running` is leased to one process; a failed attempt leads back
 * to `pending`, the last one to `failed`. A finished job is deleted; a repeated analysis is a new job.
 */
export const jobMachine = defineMachine({
  pending: { rank: 0, to: ['running'] },
  running: { rank: 1, to: ['pending', 'failed'] },
  failed: { rank: 2, to: [] },
});

type JobStatus = keyof typeof jobMachine.rules;

/** An after-call job as its row holds it. */
export const Job = z.object({
  id: z.string(),
  kind: z.enum(JOB_KINDS),
  call_id: z.string(),
  status: z.enum(jobMachine.states as [JobStatus, ...JobStatus[]]),
  due_at: z.number().int(),
  attempts: z.number().int(),
  /** How often it was claimed. */
  claims: z.number().int(),
  lease_until: z.number().int().nullable(),
  /** How its last try failed. */
  error: z.string().nullable(),
});
export type Job = z.infer<typeof Job>;

/**
 * A claim on a job: the fencing token of the process that does it. A write with an older claim than the row's changes
 * nothing, as another process has taken the job over.
 */
export interface JobClaim {
  jobId: string;
  claims: number;
}

export function claimOf({ id, claims }: Pick<Job, 'id' | 'claims'>): JobClaim {
  return { jobId: id, claims };
}

/** Jobs on the talk of a call. */
export const TALK_KINDS = ['recording', 'analysis'] as const satisfies JobKind[];

/**
 * What is done with the file of a recording: it is put together from its parts in object storage, taken there, deleted
 * there, or deleted in the folder of a process that may be away.
 */
export const STORAGE_KINDS = ['join', 'upload', 'discard', 'forget'] as const satisfies JobKind[];

/** Done by no process but those that have its folder, however long there is none. */
export const BOUND_KIND = 'forget' satisfies JobKind;

/** The error of a piece of work whose file is in the folder of a process that is gone, and may come back. */
export const FILE_IS_AWAY = 'file_is_away';
/** How long a dead process may take to start again on its folder before its work is taken over, in milliseconds. */
export const AWAY_GRACE_MS = 30_000;
/** How long a dead process with the only audio of a call is waited for, in milliseconds; then the audio is lost. */
export const LONGEST_AWAY_MS = 24 * 3_600_000;

/** What a call has cost is asked of its carrier. */
export const PRICE_KINDS = ['price'] as const satisfies JobKind[];

/** After so many tries a piece of work is given up. */
export const MAX_JOB_ATTEMPTS = 6;

/** The delay after a failed attempt, in milliseconds: 2 s, 8 s, 32 s … at most ten minutes. */
export function retryDelayMs(attempts: number): number {
  return Math.min(2_000 * 4 ** (attempts - 1), 600_000);
}
