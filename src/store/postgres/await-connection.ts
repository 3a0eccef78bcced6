import { sleep, systemClock } from '#kernel/time/clock.js';
import { asError } from '#kernel/errors/as-error.js';
import { isCrowded } from './postgres-errors.js';

const PAUSE_MS = 250;
/** How often the operator is told that a start still waits. */
const TELL_EVERY_MS = 30_000;

/**
 * Connects; while all connections of the server are taken, waits for one, however long that takes: processes that run
 * give theirs back when they are idle, and one that leaves in its start would only be started again.
 * @param warn writes a warning for the operator
 */
export async function awaitConnection<Connection>(
  connect: () => Promise<Connection>,
  warn: (message: string, reason: string) => void,
): Promise<Connection> {
  const sinceMs = systemClock.monotonicMs();
  let toldAtMs = -Infinity;
  for (;;) {
    try {
      const connection = await connect();
      const waitedSeconds = Math.round((systemClock.monotonicMs() - sinceMs) / 1_000);
      if (toldAtMs > 0) warn('the database has a free connection again', `after ${waitedSeconds} s`);
      return connection;
    } catch (error) {
      if (!isCrowded(error)) throw error;
      const nowMs = systemClock.monotonicMs();
      if (nowMs - toldAtMs >= TELL_EVERY_MS) {
        toldAtMs = nowMs;
        warn('the start waits for a free connection to the database', asError(error).message);
      }
    }
    await sleep(systemClock, PAUSE_MS);
  }
}
