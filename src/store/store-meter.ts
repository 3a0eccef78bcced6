import { Counters, type Increment } from '#metrics/counters.js';

/** The number of transactions that wait or run: those that write (`writer`), and those that only read (`reader`). */
export interface StoreQueues {
  writer: number;
  reader: number;
}

/**
 * The measurements of a running store: queue lengths, durations of commits, counters of transactions. The store writes
 * them, the metrics read them.
 */
export class StoreMeter {
  /** Counters of committed transactions. */
  readonly counters: Counters;
  #queues: () => StoreQueues = () => ({ writer: 0, reader: 0 });
  #onCommit: (durationMs: number) => void = () => {};

  /** @param counters the counters to which the increments of transactions are added */
  constructor(counters = new Counters()) {
    this.counters = counters;
  }

  /** The present queue lengths; 0 before a store is connected. */
  get queues(): StoreQueues {
    return this.#queues();
  }

  /** Sets the listener for the duration of each commit (milliseconds), which replaces the previous listener. */
  onCommit(listener: (durationMs: number) => void): void {
    this.#onCommit = listener;
  }

  /** Called by the store when it opens: sets the function that reads its queue lengths. */
  setQueueReader(queues: () => StoreQueues): void {
    this.#queues = queues;
  }

  /** Called by the store after commits: their durations and the counters of their transactions. */
  committed({
    commitsMs,
    increments,
  }: {
    commitsMs: readonly number[];
    increments: readonly Increment[];
  }): void {
    for (const durationMs of commitsMs) this.#onCommit(durationMs);
    for (const increment of increments) this.counters.add(increment);
  }
}
