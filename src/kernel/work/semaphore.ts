/**
 * Limits how many tasks run at the same time, such as uploads or requests to a voice; the others wait, first in, first
 * out.
 */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  readonly #places: () => number;
  #running = 0;

  /** @param places the limit, at least 1; a function is asked for it whenever a task arrives or ends */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === 'number' ? () => places : places;
  }

  /** Runs `task` when a place is free, and settles as the task does. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const admitted = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#admit();
    await admitted;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#admit();
    }
  }

  /** Lets waiting tasks run while there are free places. */
  #admit(): void {
    while (this.#running < this.#places()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
