import type { Increment } from '#metrics/counters.js';
import type { Job, JobQueue } from '#store/threads/job-queue.js';
import { subjectOfTransaction, transactionNamed } from '#store/transaction.js';
import { LockCycle, LockTable } from './lock-table.js';
import type { Pipeline } from './pipeline.js';
import { PostgresTx, type StatementTexts } from './transaction.js';

/**
 * How many transactions share a commit at most. A further one would save hardly anything, and all of them wait for the
 * slowest.
 */
const MOST_SHARING = 64;

/**
 * What came of one of the transactions: a result, or its error. (An error after a change spoils the whole transaction,
 * whose outcomes are dropped.)
 */
export type Outcome = { job: Job; increments: readonly Increment[] } & (
  { isDone: true; result: unknown } | { isDone: false; error: unknown }
);

/** Takes waiting jobs for one shared transaction. */
export function takeSharing(queue: JobQueue): Job[] {
  const jobs: Job[] = [];
  for (let job = queue.next(); job; job = queue.next()) {
    jobs.push(job);
    if (jobs.length === MOST_SHARING) break;
  }
  return jobs;
}

/**
 * Runs transactions at the same time in one database transaction, so that their statements travel together; those about
 * one subject, such as a call, run in order (see `shareCommits`). Returns null when it must be rolled back: a statement
 * failed, a transaction failed after it had changed something, or two waited for each other. Used by `PostgresEngine`.
 */
export async function runSharing(
  pipeline: Pipeline,
  texts: StatementTexts,
  jobs: readonly Job[],
): Promise<Outcome[] | null> {
  const locks = new LockTable<PostgresTx>();
  let isSpoiled = false;
  const runOne = async (job: Job): Promise<Outcome> => {
    const tx = new PostgresTx(pipeline, texts, locks);
    try {
      const subject = subjectOfTransaction(job.transaction, job.args);
      if (typeof subject === 'string') await locks.take(tx, `subject ${subject}`);
      const result = await transactionNamed(job.transaction)(tx, job.args as never);
      return { job, isDone: true, result, increments: tx.increments };
    } catch (error) {
      isSpoiled ||= tx.wrote || error instanceof LockCycle;
      return { job, isDone: false, error, increments: [] };
    } finally {
      tx.end();
      locks.release(tx);
    }
  };
  const outcomes = await Promise.all(jobs.map(runOne));
  return isSpoiled || pipeline.hasFailed ? null : outcomes;
}
