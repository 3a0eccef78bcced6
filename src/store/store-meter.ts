import { Tallies, type Tally } from '#metrics/tallies.js';

/** Units of work that nobody has answered yet, by the thread that they wait for. */
export interface StoreQueues {
  writer: number;
  reader: number;
}

/** What a store tells about itself while it works, for whoever watches over it. */
export class StoreMeter {
  /** What its units have counted. */
  readonly tallies: Tallies;
  #queues: () => StoreQueues = () => ({ writer: 0, reader: 0 });
  #onCommit: (durationMs: number) => void = () => {};

  /** @param tallies where its counts go beside those of others */
  constructor(tallies = new Tallies()) {
    this.tallies = tallies;
  }

  /** How many units wait, those in work among them. */
  get queues(): StoreQueues {
    return this.#queues();
  }

  /** Who wants to know how long commits take. */
  onCommit(listener: (durationMs: number) => void): void {
    this.#onCommit = listener;
  }

  /** For the store: how its queues are read. */
  watch(queues: () => StoreQueues): void {
    this.#queues = queues;
  }

  /** For the store: commits that stand, and what they counted. */
  committed({ commitsMs, tallies }: { commitsMs: readonly number[]; tallies: readonly Tally[] }): void {
    for (const durationMs of commitsMs) this.#onCommit(durationMs);
    for (const tally of tallies) this.tallies.add(tally);
  }
}
