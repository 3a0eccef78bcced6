import type { Clock } from '#kernel/time/clock.js';
import { packError } from '#store/threads/thread-protocol.js';

/** The least time between the warnings of two outages, for a database that comes and goes. */
const QUIET_MS = 10_000;

/**
 * Warns the operator once when the database becomes unavailable, with the reason, and once when it is back, however
 * many transactions fail in between. Clients only get the problem `unavailable`.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #warn: (message: string, reason: string) => void;
  /** When the present outage began, by the monotonic clock; null while the database can be used. */
  #sinceMs: number | null = null;
  /** When the last warning of an outage was given. */
  #warnedAtMs = -Infinity;
  /** True if the operator was warned of the present outage. */
  #hasWarned = false;

  constructor(clock: Clock, warn: (message: string, reason: string) => void) {
    this.#clock = clock;
    this.#warn = warn;
  }

  /** Called for each transaction that failed because the database was unreachable, overloaded or too slow. */
  noteFailure(error: unknown): void {
    const now = this.#clock.monotonicMs();
    this.#sinceMs ??= now;
    if (this.#hasWarned || now - this.#warnedAtMs < QUIET_MS) return;
    this.#hasWarned = true;
    this.#warnedAtMs = now;
    this.#warn('database cannot be used', reasonOf(error));
  }

  /** Called for each transaction that succeeded: ends an outage. */
  noteSuccess(): void {
    if (this.#sinceMs === null) return;
    const seconds = Math.round((this.#clock.monotonicMs() - this.#sinceMs) / 1_000);
    this.#sinceMs = null;
    if (!this.#hasWarned) return;
    this.#hasWarned = false;
    this.#warn('database can be used again', `after ${seconds} s`);
  }
}

/** The message of an error. A host with several addresses gives an `AggregateError`, whose own message is empty. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return packError(error).message;
}
