import type { Clock } from '#kernel/time/clock.js';

interface Timer {
  dueMs: number;
  order: number;
  task: () => void;
}

/** Time that stands still until a test moves it. Wall and monotonic time move together unless the wall is set. */
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

  /** How long it is until the next timer is due; infinite when none is armed. */
  get nextInMs(): number {
    const timer = this.#next(Infinity);
    return timer ? Math.max(0, timer.dueMs - this.#monotonicMs) : Infinity;
  }

  /** How many timers are armed: a stopped thing leaves none behind. */
  get armed(): number {
    return this.#timers.size;
  }

  /** The wall clock jumps, as machines' clocks do; timers do not notice. */
  setWall(wallMs: number): void {
    this.#wallMs = wallMs;
  }

  /** The process stands still: time passes, and what was due meanwhile happens when time is moved on next. */
  stall(forMs: number): void {
    this.#moveTo(this.#monotonicMs + forMs);
  }

  /** Moves time on, firing timers in order, and lets promises settle after each of them. */
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

  /** Lets everything that is ready to run, run, before time moves on. */
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

/** Lets everything that is ready to run, run: microtasks and one turn of the event loop. */
export function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
