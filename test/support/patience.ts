/*
 * What is waited for comes when the machine has time for it: only what hangs is over time. These limits are therefore
 * no part of what any test asserts, and no test has one of its own.
 */

/** How long one thing is waited for, in milliseconds. */
export const PATIENCE_MS = 300_000;

/** How long a test may take with all its waits, in milliseconds: longer than a wait, which says what did not come. */
export const TEST_LIMIT_MS = 900_000;
