import type { Clock } from '../time/clock.js';
import type { Log } from './log.js';

/** How long a trouble that goes on is not told again. */
const TOLD_AGAIN_MS = 60_000;

/**
 * Keeps one trouble from filling the log: what fails again and again is told at first and then once a minute, and so is
 * that it works again.
 */
export class Trouble {
  readonly #parts: { clock: Clock; log: Log };
  readonly #words: { failed: string; over: string };
  #failures = 0;
  #toldAtMs = -Infinity;

  /** @param words constant sentences: what has failed, and that it works again */
  constructor(words: { failed: string; over: string }, parts: { clock: Clock; log: Log }) {
    this.#words = words;
    this.#parts = parts;
  }

  /** It failed, once more. */
  met(error: unknown): void {
    const { clock, log } = this.#parts;
    this.#failures += 1;
    const now = clock.monotonicMs();
    if (this.#failures > 1 && now - this.#toldAtMs < TOLD_AGAIN_MS) return;
    this.#toldAtMs = now;
    log.error({ err: error, failures: this.#failures }, this.#words.failed);
  }

  /** It worked. */
  over(): void {
    if (this.#failures === 0) return;
    const failures = this.#failures;
    this.#failures = 0;
    this.#parts.log.info({ failures }, this.#words.over);
  }
}
