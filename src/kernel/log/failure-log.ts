import type { Clock } from '#kernel/time/clock.js';
import type { Log } from './log.js';

/** A failure that goes on, or comes and goes, is logged no more often than this. */
const QUIET_MS = 60_000;

/**
 * Keeps one failure from filling the log: what fails again and again is logged at first and then once a minute, and so
 * is, once, that it works again.
 */
export class FailureLog {
  readonly #messages: { failed: string; recovered: string };
  readonly #parts: { clock: Clock; log: Log };
  /** Since the log last said that it works. */
  #failures = 0;
  #loggedAtMs = -Infinity;
  #isLogged = false;

  /** @param messages constant sentences: what has failed, and that it works again */
  constructor(messages: { failed: string; recovered: string }, parts: { clock: Clock; log: Log }) {
    this.#messages = messages;
    this.#parts = parts;
  }

  /** It failed, once more. */
  failed(error: unknown): void {
    const { clock, log } = this.#parts;
    this.#failures += 1;
    const nowMs = clock.monotonicMs();
    if (nowMs - this.#loggedAtMs < QUIET_MS) return;
    this.#loggedAtMs = nowMs;
    this.#isLogged = true;
    log.error({ err: error, failures: this.#failures }, this.#messages.failed);
  }

  /** It worked. */
  worked(): void {
    if (!this.#isLogged) return;
    this.#parts.log.info({ failures: this.#failures }, this.#messages.recovered);
    this.#failures = 0;
    this.#isLogged = false;
  }
}
