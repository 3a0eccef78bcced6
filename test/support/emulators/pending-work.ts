/** Counts what an emulator has under way over real sockets, so that a test's clock can wait for it. */
export class PendingWork {
  #count = 0;
  #idle: (() => void)[] = [];

  /** Whether nothing is under way. */
  get isIdle(): boolean {
    return this.#count === 0;
  }

  /** Begins a piece of work; the answer ends it. */
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

  /** Resolves when nothing is under way. */
  async idle(): Promise<void> {
    while (!this.isIdle) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }
}
