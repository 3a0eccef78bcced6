import { sleep, systemClock } from '#kernel/time/clock.js';
import { asError } from '#kernel/errors/as-error.js';
import { isOutOfConnections } from './postgres-errors.js';

/** The pause between two attempts. */
const RETRY_AFTER_MS = 250;
/** How often the operator is warned that the start still waits. */
const WARN_EVERY_MS = 30_000;

/**
 * Connects at the start of a process. While all connections of the server are taken, it tries again without end:
 * running processes free their idle connections, and a process that gave up would only be started again.
 * @param warn writes a warning for the operator
 * @throws Error of the server for any other reason
 */
export async function awaitConnection<Connection>(
  connect: () => Promise<Connection>,
  warn: (message: string, reason: string) => void,
): Promise<Connection> {
  const startedMs = systemClock.monotonicMs();
  let warnedAtMs = -Infinity;
  for (;;) {
    try {
      const connection = await connect();
      const waitedSeconds = Math.round((systemClock.monotonicMs() - startedMs) / 1_000);
      if (warnedAtMs > 0) warn('the database has a free connection again', `after ${waitedSeconds} s`);
      return connection;
    } catch (error) {
      if (!isOutOfConnections(error)) throw error;
      const nowMs = systemClock.monotonicMs();
      if (nowMs - warnedAtMs >= WARN_EVERY_MS) {
        warnedAtMs = nowMs;
        warn('the start waits for a free connection to the database', asError(error).message);
      }
    }
    await sleep(systemClock, RETRY_AFTER_MS);
  }
}
