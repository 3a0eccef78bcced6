import pg from 'pg';
import { Problem } from '#kernel/errors/errors.js';

/** The codes of a serialization failure and a deadlock: the transaction was undone, and may succeed when run again. */
const CONFLICTS = new Set(['40001', '40P01']);

/**
 * Codes of a server that is overloaded, restarting or out of reach: connection failures (08), insufficient resources
 * (53), shutdown (57P), statement, lock and idle timeouts.
 * Source: PostgreSQL documentation, appendix A (error codes).
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|55P03|25P03)/;

/** True for the error of a transaction that conflicted with a concurrent one; it may succeed when it runs again. */
export function isConflict(error: unknown): boolean {
  return error instanceof pg.DatabaseError && CONFLICTS.has(error.code ?? '');
}

/** True for the error of a read-only server: a demoted primary, or a server set to read-only, as for a full disk. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** True for a query without an answer in time: its connection is unusable. node-postgres gives this error no code. */
export function isAnswerTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True if all connections of the server are taken; a connection may be free in a moment. */
export function isOutOfConnections(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53300';
}

/**
 * The error for the caller. A `Problem` of the transaction itself stays. An unavailable server, or a conflict that
 * lasted through all tries, becomes `unavailable`. Any other error of the server loses the data that its text may
 * quote. Errors that are not the server's stay.
 */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (UNAVAILABLE.test(code) || CONFLICTS.has(code)) return unavailable();
    // Messages of class 22 (data exceptions) quote the value; details quote the row.
    const reason = code.startsWith('22') ? 'a value does not fit' : error.message;
    return new Error(`PostgreSQL ${code}: ${reason}`);
  }
  return error;
}

/** The error for callers while the server cannot be used. */
export function unavailable(): Problem {
  return new Problem('unavailable', 'The database is not available now.', { retryAfterSeconds: 1 });
}
