import type { Increment } from '#metrics/counters.js';
import type { Job, JobQueue } from '#store/threads/job-queue.js';
import { subjectOfTransaction, transactionNamed } from '#store/transaction.js';
import { LockCycle, LockTable } from './lock-table.js';
import type { Pipeline } from './pipeline.js';
import { PostgresTx, type NamedStatements } from './transaction.js';

/** The most transactions that share a commit. More would save hardly anything, and all would wait for the slowest. */
const MOST_SHARING = 64;

/**
 * The outcome of one transaction in a shared commit: its result, or the error of a transaction that failed before it
 * had written anything (a later failure rolls all of them back).
 */
export type Outcome = { job: Job; increments: readonly Increment[] } & (
  { isDone: true; result: unknown } | { isDone: false; error: unknown }
);

/** Takes waiting jobs for one shared transaction, oldest first. */
export function takeJobsToShare(queue: JobQueue): Job[] {
  const jobs: Job[] = [];
  for (let job = queue.take(); job; job = queue.take()) {
    jobs.push(job);
    if (jobs.length === MOST_SHARING) break;
  }
  return jobs;
}

/**
 * Runs the transactions of some jobs at the same time in one open database transaction, so that their statements travel
 * together; transactions about one subject, such as a call, run in order (see `shareCommits`). Returns null if the
 * database transaction must be rolled back: a statement failed, a job failed after it had written, or two jobs waited
 * for each other. Used by `PostgresEngine`, which commits or rolls back.
 */
export async function runInOneTransaction(
  pipeline: Pipeline,
  texts: NamedStatements,
  jobs: readonly Job[],
): Promise<Outcome[] | null> {
  const locks = new LockTable<PostgresTx>();
  let mustRollBack = false;
  const runOne = async (job: Job): Promise<Outcome> => {
    const tx = new PostgresTx(pipeline, texts, locks);
    try {
      const subject = subjectOfTransaction(job.transaction, job.args);
      if (typeof subject === 'string') await locks.take(tx, `subject ${subject}`);
      const result = await transactionNamed(job.transaction)(tx, job.args as never);
      return { job, isDone: true, result, increments: tx.increments };
    } catch (error) {
      mustRollBack ||= tx.hasWritten || error instanceof LockCycle;
      return { job, isDone: false, error, increments: [] };
    } finally {
      tx.end();
      locks.release(tx);
    }
  };
  const outcomes = await Promise.all(jobs.map(runOne));
  return mustRollBack || pipeline.hasFailed ? null : outcomes;
}
