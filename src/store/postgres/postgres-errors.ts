import pg from 'pg';
import { Problem } from '#kernel/errors/errors.js';

/** Serialization failure and deadlock: the transaction did nothing, and may succeed when it runs again. */
const WORTH_REPEATING = new Set(['40001', '40P01']);

/**
 * Codes of a server that is overloaded, restarting or out of reach: connection failures (08), insufficient resources
 * (53), shutdown (57P), statement, lock and idle timeouts.
 * Source: PostgreSQL documentation, appendix A (error codes).
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|55P03|25P03)/;

/** True for a transaction that failed only because of a concurrent one. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof pg.DatabaseError && WORTH_REPEATING.has(error.code ?? '');
}

/** True for a read-only server: a demoted primary, or one that its host has set read-only when its disk was full. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** True for a query without an answer in time; its connection is unusable. node-postgres gives this error no code. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** True if all connections of the server are taken; one may be free in a moment. */
export function isCrowded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53300';
}

/** The error for the caller: the transaction's own `Problem`, `unavailable`, or an error without row data. */
export function translateError(error: unknown): unknown {
  if (error instanceof Problem) return error;
  if (error instanceof pg.DatabaseError) {
    const code = error.code ?? '';
    if (UNAVAILABLE.test(code) || WORTH_REPEATING.has(code)) return unavailable();
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
