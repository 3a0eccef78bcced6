import Database from 'better-sqlite3';
import { Problem } from '#kernel/errors/errors.js';

/** A foreign program held the database for longer than we wait. Nothing was written; trying again may help. */
export function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/** The disk is full, fails or holds nonsense: no later write can be trusted to last. */
export function isDiskFailure(error: unknown): boolean {
  return (
    error instanceof Database.SqliteError &&
    /^SQLITE_(FULL|IOERR|CORRUPT|NOTADB|CANTOPEN|READONLY|NOMEM|PROTOCOL)/.test(error.code)
  );
}

/** What callers are told when another process holds the database file. */
export function busyProblem(): Problem {
  return new Problem('unavailable', 'The database is locked by another program.', { retryAfterSeconds: 1 });
}
