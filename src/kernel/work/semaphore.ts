/** Lets so many run at once; the others wait, and have their turn in the order in which they came. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  readonly #places: () => number;
  #running = 0;

  /** @param places at least one; where it changes, that is asked whenever somebody comes or is done */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === 'number' ? () => places : places;
  }

  /** Runs `task` when it is its turn; its result is the task's own. */
  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    const turn = new Promise<void>((resolve) => this.#waiting.push(resolve));
    this.#admit();
    await turn;
    try {
      return await task();
    } finally {
      this.#running -= 1;
      this.#admit();
    }
  }

  #admit(): void {
    while (this.#running < this.#places()) {
      const next = this.#waiting.shift();
      if (!next) return;
      this.#running += 1;
      next();
    }
  }
}
