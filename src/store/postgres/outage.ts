import type { Clock } from '#kernel/time/clock.js';
import { packError } from '#store/threads/thread-protocol.js';

/** A database that comes and goes is spoken of no more often than this. */
const QUIET_MS = 10_000;

/**
 * Tells the operator that the database cannot be used, and why, and when it can be used again: a line each, however
 * many units meet it. Callers learn only that it is not available.
 */
export class Outage {
  readonly #clock: Clock;
  readonly #warn: (message: string, reason: string) => void;
  #sinceMs: number | null = null;
  #toldAtMs = -Infinity;
  #isTold = false;

  constructor(clock: Clock, warn: (message: string, reason: string) => void) {
    this.#clock = clock;
    this.#warn = warn;
  }

  /** A unit found the database away, overloaded or too slow. */
  met(error: unknown): void {
    const now = this.#clock.monotonicMs();
    this.#sinceMs ??= now;
    if (this.#isTold || now - this.#toldAtMs < QUIET_MS) return;
    this.#isTold = true;
    this.#toldAtMs = now;
    this.#warn('database cannot be used', reasonOf(error));
  }

  /** A unit was done. */
  over(): void {
    if (this.#sinceMs === null) return;
    const seconds = Math.round((this.#clock.monotonicMs() - this.#sinceMs) / 1_000);
    this.#sinceMs = null;
    if (!this.#isTold) return;
    this.#isTold = false;
    this.#warn('database can be used again', `after ${seconds} s`);
  }
}

/** Where a name has several addresses, only the errors of each of them say anything. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return reasonOf(error.errors[0]);
  return packError(error).message;
}
