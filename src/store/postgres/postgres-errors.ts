import pg from 'pg';
import { Problem } from '#kernel/errors/errors.js';

/** Serialization failure and deadlock: the transaction did nothing, and the same unit may succeed now. */
const WORTH_REPEATING = new Set(['40001', '40P01']);

/**
 * The server is overloaded, restarting or out of reach: connection failures (08), lacking resources (53), statement
 * and lock timeouts, shutdown.
 */
const UNAVAILABLE = /^(?:08|53|57P|57014|55P03|25P03)/;

/** Whether a transaction failed only because of another one, so that it may be run again. */
export function isWorthRepeating(error: unknown): boolean {
  return error instanceof pg.DatabaseError && WORTH_REPEATING.has(error.code ?? '');
}

/** The server takes no changes: another one has taken over from it, or its keeper closed it when its disk was full. */
export function isReadOnly(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25006';
}

/** The server has not answered in time, and would not answer more: the driver has no code for it. */
export function isSilence(error: unknown): boolean {
  return error instanceof Error && error.message === 'Query read timeout';
}

/** All connections that the server allows are taken, by this service or by strangers: one may be free in a moment. */
export function isCrowded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '53300';
}

/** What a caller is told: the unit's own `Problem`, `unavailable`, or an error that holds no row data. */
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

/** What callers are told while the server cannot be used. */
export function unavailable(): Problem {
  return new Problem('unavailable', 'The database is not available now.', { retryAfterSeconds: 1 });
}
