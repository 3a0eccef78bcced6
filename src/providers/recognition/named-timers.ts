import type { Clock } from '#kernel/time/clock.js';

/**
 * The timers of a `StreamingSession` (keep-alive, reconnection and the like) by name, at most one per name. Starting a
 * timer replaces the running one of the same name.
 */
export class NamedTimers<Name extends string> {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #cancels = new Map<Name, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  /** True while a timer of this name runs. */
  has(name: Name): boolean {
    return this.#cancels.has(name);
  }

  /** Runs a task after a delay, in place of a waiting task of the same name. */
  after(name: Name, delayMs: number, task: () => void): void {
    this.cancel(name);
    const cancel = this.#clock.after(delayMs, () => {
      this.#cancels.delete(name);
      task();
    });
    this.#cancels.set(name, cancel);
  }

  /** Cancels a timer; no effect if it does not run. */
  cancel(name: Name): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  /** Cancels every timer, when the connection that they belong to ends. */
  cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
