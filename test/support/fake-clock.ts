import type { Clock } from '#kernel/time/clock.js';

interface Timer {
  dueMs: number;
  order: number;
  task: () => void;
}

/**
 * A clock that stands still until a test advances it. Wall and monotonic time advance together unless the wall clock
 * is set.
 */
export class FakeClock implements Clock {
  #wallMs: number;
  #monotonicMs = 0;
  #order = 0;
  readonly #timers = new Set<Timer>();

  constructor(wallMs = Date.UTC(2026, 10, 21)) {
    this.#wallMs = wallMs;
  }

  wallMs(): number {
    return this.#wallMs;
  }

  monotonicMs(): number {
    return this.#monotonicMs;
  }

  after(delayMs: number, task: () => void): () => void {
    const timer = { dueMs: this.#monotonicMs + Math.max(0, delayMs), order: this.#order++, task };
    this.#timers.add(timer);
    return () => this.#timers.delete(timer);
  }

  /** The time until the next timer is due; infinite if there is none. */
  get nextInMs(): number {
    const timer = this.#next(Infinity);
    return timer ? Math.max(0, timer.dueMs - this.#monotonicMs) : Infinity;
  }

  /** The number of pending timers; 0 after everything has stopped. */
  get armed(): number {
    return this.#timers.size;
  }

  /** Sets the wall clock, like a clock jump; timers are not affected. */
  setWall(wallMs: number): void {
    this.#wallMs = wallMs;
  }

  /** Simulates a stalled process: time passes, and the timers due meanwhile fire with the next advance. */
  stall(forMs: number): void {
    this.#moveTo(this.#monotonicMs + forMs);
  }

  /** Advances time, firing timers in order; promises settle after each of them. */
  async advance(byMs: number): Promise<void> {
    const endMs = this.#monotonicMs + byMs;
    await this.settle();
    for (let timer = this.#next(endMs); timer; timer = this.#next(endMs)) {
      this.#moveTo(Math.max(timer.dueMs, this.#monotonicMs));
      this.#timers.delete(timer);
      timer.task();
      await this.settle();
    }
    this.#moveTo(endMs);
    await this.settle();
  }

  /** Lets everything that is ready run before time advances. */
  protected settle(): Promise<void> {
    return settle();
  }

  #next(endMs: number): Timer | undefined {
    let first: Timer | undefined;
    for (const timer of this.#timers)
      if (timer.dueMs <= endMs && (!first || isBefore(timer, first))) first = timer;
    return first;
  }

  #moveTo(monotonicMs: number): void {
    this.#wallMs += monotonicMs - this.#monotonicMs;
    this.#monotonicMs = monotonicMs;
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  return a.dueMs < b.dueMs || (a.dueMs === b.dueMs && a.order < b.order);
}

/** Lets everything that is ready run: microtasks and one turn of the event loop. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
