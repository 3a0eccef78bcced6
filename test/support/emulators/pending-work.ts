/** Counts an emulator's work in progress over real sockets, so that a test's clock can wait for it. */
export class PendingWork {
  #count = 0;
  #idle: (() => void)[] = [];

  /** True if nothing is in progress. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  /** Begins a piece of work; the returned function ends it. */
  begin(): () => void {
    this.#count += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#count -= 1;
      if (this.#count > 0) return;
      for (const resolve of this.#idle.splice(0)) resolve();
    };
  }

  async during<Value>(work: Promise<Value>): Promise<Value> {
    const end = this.begin();
    try {
      return await work;
    } finally {
      end();
    }
  }

  /** Resolves when nothing is in progress. */
  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
