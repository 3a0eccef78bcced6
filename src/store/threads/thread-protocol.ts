import type { Tally } from '#metrics/tallies.js';
import { Problem, type ProblemCode, type ProblemDetail } from '#kernel/errors/errors.js';

/** Units asked for in one turn of the caller's event loop: three columns of equal length, cheap to clone. */
export interface Questions {
  ids: number[];
  units: string[];
  args: unknown[];
}

/** Everything that the thread settled at once: with SQLite, the units of one commit. */
export interface Answers {
  ids: number[];
  results: unknown[];
  failedIds: number[];
  failures: PackedError[];
  /** What was counted by what was committed. */
  tallies: Tally[];
  /** How long each of the commits took, in milliseconds. */
  commitsMs: number[];
}

/** What a thread is told when it starts. */
export interface ThreadStart {
  unitModules: readonly string[];
}

/** Which database it opens, and what for: told as soon as that is known. */
export interface ThreadTask {
  role: 'writer' | 'reader';
  databaseUrl: string;
  migrationsDir: string;
  /** Epoch milliseconds, for the rows that migrations leave behind. */
  startedAt: number;
}

/** What a thread has to say about the database once it serves. */
export interface ThreadFacts {
  engine: 'sqlite' | 'postgres';
  version: string;
  /** Names of the migrations that this start applied. */
  migrated: string[];
}

export type ToThread =
  { kind: 'open'; task: ThreadTask } | { kind: 'ask'; questions: Questions } | { kind: 'close' };
export type FromThread =
  | { kind: 'ready'; facts: ThreadFacts }
  | { kind: 'answer'; answers: Answers }
  | { kind: 'warn'; message: string; reason: string };

/** An error on its way between threads, where classes do not survive. */
export type PackedError =
  | {
      kind: 'problem';
      code: ProblemCode;
      message: string;
      details: readonly ProblemDetail[];
      retryAfterSeconds: number | undefined;
    }
  | { kind: 'error'; message: string; stack: string | undefined };

/** An error in a form that survives the way between threads; a `Problem` stays one. */
export function packError(error: unknown): PackedError {
  if (error instanceof Problem) {
    const { code, message, details, retryAfterSeconds } = error;
    return { kind: 'problem', code, message, details, retryAfterSeconds };
  }
  if (error instanceof Error) return { kind: 'error', message: error.message, stack: error.stack };
  return { kind: 'error', message: String(error), stack: undefined };
}

/** For errors that end a thread: drivers' own classes of errors arrive on the other side without their message. */
export function asPlainError(error: unknown): Error {
  return unpackError(packError(error));
}

/** The error again: a `Problem` as it was thrown, anything else as a plain `Error`, which the API never shows. */
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
