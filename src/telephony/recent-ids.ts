/** Remembers ids, and forgets the oldest one when there are too many. */
export class RecentIds {
  readonly #ids = new Set<string>();
  readonly #most: number;

  constructor(most: number) {
    this.#most = most;
  }

  has(id: string): boolean {
    return this.#ids.has(id);
  }

  add(id: string): void {
    this.#ids.delete(id);
    this.#ids.add(id);
    if (this.#ids.size <= this.#most) return;
    const [oldest] = this.#ids;
    this.#ids.delete(oldest!);
  }
}
