import type { Clock } from '#kernel/time/clock.js';
import type { Log } from './log.js';

/** The shortest time between two log lines about a failure that lasts or comes again. */
const QUIET_MS = 60_000;

/**
 * Keeps a repeated failure from filling the log: logs one failure a minute at most, and then the recovery once. Used by
 * loops and periodic tasks.
 */
export class FailureLog {
  readonly #messages: { failed: string; recovered: string };
  readonly #parts: { clock: Clock; log: Log };
  /** Failures since the last logged recovery. */
  #failures = 0;
  #loggedAtMs = -Infinity;
  /** True from a logged failure until the recovery. */
  #isLogged = false;

  /** @param messages constant sentences for a failure and for the recovery */
  constructor(messages: { failed: string; recovered: string }, parts: { clock: Clock; log: Log }) {
    this.#messages = messages;
    this.#parts = parts;
  }

  /** Called on each failure. */
  failed(error: unknown): void {
    const { clock, log } = this.#parts;
    this.#failures += 1;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < QUIET_MS) return;
    this.#loggedAtMs = nowMs;
    this.#isLogged = true;
    log.error({ err: error, failures: this.#failures }, this.#messages.failed);
  }

  /** Called on each success. */
  succeeded(): void {
    if (!this.#isLogged) return;
    this.#parts.log.info({ failures: this.#failures }, this.#messages.recovered);
    this.#failures = 0;
    this.#isLogged = false;
  }
}
