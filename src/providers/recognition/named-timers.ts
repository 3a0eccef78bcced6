import type { Clock } from '#kernel/time/clock.js';

/** Timers by name, at most one per name. */
export class NamedTimers<Name extends string> {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #cancels = new Map<Name, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  has(name: Name): boolean {
    return this.#cancels.has(name);
  }

  /** Starts a timer, or restarts it. */
  after(name: Name, delayMs: number, task: () => void): void {
    this.cancel(name);
    const cancel = this.#clock.after(delayMs, () => {
      this.#cancels.delete(name);
      task();
    });
    this.#cancels.set(name, cancel);
  }

  cancel(name: Name): void {
    this.#cancels.get(name)?.();
    this.#cancels.delete(name);
  }

  cancelAll(): void {
    for (const cancel of this.#cancels.values()) cancel();
    this.#cancels.clear();
  }
}
