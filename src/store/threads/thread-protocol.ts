import type { Increment } from '#metrics/counters.js';
import { Problem, type ProblemCode, type ProblemDetail } from '#kernel/errors/errors.js';

// The messages between the main thread and the store threads.

/** Transactions requested in one turn of the caller's event loop: three arrays of equal length, cheap to clone. */
export interface Requests {
  ids: number[];
  transactions: string[];
  args: unknown[];
}

/**
 * Results that the thread sends together: on SQLite, those of the transactions of one commit. `results` belong to
 * `ids`, and `failures` to `failedIds`, in the same order.
 */
export interface Answers {
  ids: number[];
  results: unknown[];
  failedIds: number[];
  failures: PackedError[];
  /** Counters of committed transactions. */
  increments: Increment[];
  /** Durations of the commits, in milliseconds. */
  commitsMs: number[];
}

/** `workerData` of a store thread. */
export interface ThreadStart {
  transactionModules: readonly string[];
}

/** The database that a thread opens, and its role; sent once the settings are read. */
export interface ThreadTask {
  role: 'writer' | 'reader';
  databaseUrl: string;
  migrationsDir: string;
  /** `applied_at` of the migrations (epoch milliseconds). */
  startedAt: number;
}

/** The facts about the database that a thread reports once the database is open. */
export interface ThreadFacts {
  engine: 'sqlite' | 'postgres';
  version: string;
  /** Names of the migrations that this start applied. */
  migrated: string[];
}

/** A message to a store thread: `open` once, then any number of `run`, and `close` at the end. */
export type ToThread =
  { kind: 'open'; task: ThreadTask } | { kind: 'run'; requests: Requests } | { kind: 'close' };
/**
 * A message of a store thread: `ready` once the database is open, then answers and notifications; warnings for the
 * operator at any time.
 */
export type FromThread =
  | { kind: 'ready'; facts: ThreadFacts }
  | { kind: 'answer'; answers: Answers }
  | { kind: 'warn'; message: string; reason: string }
  /** A notification that a process, perhaps this one, has sent on a topic. */
  | { kind: 'notice'; topic: string; id: string };

/** An error as a plain object: structured cloning loses the classes of errors. */
export type PackedError =
  | {
      kind: 'problem';
      code: ProblemCode;
      message: string;
      details: readonly ProblemDetail[];
      retryAfterSeconds: number | undefined;
    }
  | { kind: 'error'; message: string; stack: string | undefined };

/** Packs an error for another thread, so that {@link unpackError} there can restore a `Problem`. */
export function packError(error: unknown): PackedError {
  if (error instanceof Problem) {
    const { code, message, details, retryAfterSeconds } = error;
    return { kind: 'problem', code, message, details, retryAfterSeconds };
  }
  if (error instanceof Error) return { kind: 'error', message: error.message, stack: error.stack };
  return { kind: 'error', message: String(error), stack: undefined };
}

/**
 * A copy of an error, as a plain `Error` or a `Problem`, to throw out of a thread: errors of drivers would arrive
 * without their messages.
 */
export function asPlainError(error: unknown): Error {
  return unpackError(packError(error));
}

/** Unpacks an error: a `Problem`, or a plain `Error`, whose message the API never shows. */
export function unpackError(packed: PackedError): Error {
  if (packed.kind === 'problem') {
    const { details, retryAfterSeconds } = packed;
    return new Problem(packed.code, packed.message, {
      details,
      ...(retryAfterSeconds === undefined ? {} : { retryAfterSeconds }),
    });
  }
  const error = new Error(packed.message);
  if (packed.stack !== undefined) error.stack = packed.stack;
  return error;
}
