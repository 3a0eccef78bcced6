import { z } from 'zod';
import { defineMachine } from '#kernel/work/machine.js';

// After-call jobs: durable work on an ended call, such as its analysis or the upload of its recording. Used by the
// workers `AfterCall`, `RecordingMoves` and `CarrierPrices`, and by `job-queue.ts`, which adds jobs.

/** The kinds of after-call jobs. The groups below say which worker performs each kind. */
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
  /** Epoch milliseconds, like all instants here. */
  due_at: z.number().int(),
  /** How often it was tried, the current attempt included. */
  attempts: z.number().int(),
  /** How often it was claimed. Unlike `attempts`, it never decreases. */
  claims: z.number().int(),
  lease_until: z.number().int().nullable(),
  /** The error of the last attempt. */
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

/** The claim under which a job was just claimed. */
export function claimOf({ id, claims }: Pick<Job, 'id' | 'claims'>): JobClaim {
  return { jobId: id, claims };
}

/** The kinds that `AfterCall` performs: completing the recording, and analysing the talk. */
export const AFTER_CALL_KINDS = ['recording', 'analysis'] as const satisfies JobKind[];

/**
 * The kinds that `RecordingMoves` performs: joining a recording from its parts in object storage, uploading it,
 * deleting it there (`discard`), and deleting its file in the folder of a process that may be away (`forget`).
 */
export const STORAGE_KINDS = ['join', 'upload', 'discard', 'forget'] as const satisfies JobKind[];

/**
 * The kind that only a process with the job's recordings folder performs, because the file to delete is there. The job
 * waits for that process for any length of time.
 */
export const BOUND_KIND = 'forget' satisfies JobKind;

/**
 * The error of a job that waits because its file is in the folder of a dead process, which may come back, or because
 * another copy of the recording is not complete yet.
 */
export const FILE_ELSEWHERE = 'file_is_away';

/** The time for a dead process to restart on its folder before another process takes over its jobs, in milliseconds. */
export const AWAY_GRACE_MS = 30_000;
/**
 * How long a job waits for a dead process with the only audio of a call, in milliseconds; then the audio counts as
 * lost.
 */
export const LONGEST_AWAY_MS = 24 * 3_600_000;

/** The kinds that `CarrierPrices` performs: requesting the price of a call from its carrier. */
export const PRICE_KINDS = ['price'] as const satisfies JobKind[];

/**
 * The number of attempts after which a job of `AfterCall` has failed. Jobs of `RecordingMoves` are never given up, and
 * those of `CarrierPrices` after a day.
 */
export const MAX_JOB_ATTEMPTS = 6;

/**
 * The delay after a failed attempt of `AfterCall` or `RecordingMoves`, in milliseconds: 2 s, 8 s, 32 s … at most ten
 * minutes.
 * @param attempts how often the job was tried, from 1
 */
export function retryDelayMs(attempts: number): number {
  return Math.min(2_000 * 4 ** (attempts - 1), 600_000);
}
