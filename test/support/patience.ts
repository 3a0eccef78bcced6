/*
 * Timeouts only detect what hangs: a busy machine may delay everything else. No assertion depends on these limits,
 * and no test has its own.
 */

/** Timeout of one wait, in milliseconds. */
export const PATIENCE_MS = 300_000;

/**
 * Timeout of a test, in milliseconds: longer than a wait, so that the wait reports what is missing. A soak run takes as
 * long as its faults do: on a busy machine, a process needs a minute to be back.
 */
export const TEST_LIMIT_MS = process.env['SOAK'] === undefined ? 900_000 : 3_600_000;
