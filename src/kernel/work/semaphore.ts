/** Bounds how many tasks run at once; the others wait, first in, first out. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  readonly #places: () => number;
  #running = 0;

  /** @param places the bound, at least 1; a function is called whenever a task arrives or ends */
  constructor(places: number | (() => number)) {
    this.#places = typeof places === 'number' ? () => places : places;
  }

  /** Runs `task` when a place is free, and settles as the task does. */
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
