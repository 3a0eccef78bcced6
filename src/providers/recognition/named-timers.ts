import type { Clock } from '#kernel/time/clock.js';

/** Timers by what they are for, one of each at a time. */
export class NamedTimers<Name extends string> {
  readonly #clock: Pick<Clock, 'after'>;
  readonly #cancels = new Map<Name, () => void>();

  constructor(clock: Pick<Clock, 'after'>) {
    this.#clock = clock;
  }

  has(name: Name): boolean {
    return this.#cancels.has(name);
  }

  /** Arms a timer anew. */
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
