import Database from 'better-sqlite3';
import { Problem } from '#kernel/errors/errors.js';

// Classifies errors of SQLite, for the writer thread and the file lock, and makes the error that callers get.

/** True if another program held the database beyond the busy timeout. Nothing was written; a retry may help. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** True if the disk is full or failing, or the file corrupt: no later write is certain to last. */
export function isDiskFailure(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM|PROTOCOL)/.test(error.code)
  );
}

/** The error for callers while another program holds the database. */
export function busyProblem(): Problem {
  return new Problem('unavailable', 'The database is locked by another program.', { retryAfterSeconds: 1 });
}
