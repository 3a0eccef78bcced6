/** What goes on beside whoever began it: nobody waits for a single one, and its owner waits for all at its own end. */
export class Tasks {
  readonly #underWay = new Set<Promise<unknown>>();

  /** @param task must not fail: nobody is there to hear of it */
  add(task: Promise<unknown>): void {
    const tracked = task.finally(() => this.#underWay.delete(tracked));
    this.#underWay.add(tracked);
  }

  /** Resolves when none is under way, those included that were begun meanwhile. */
  async settled(): Promise<void> {
    while (this.#underWay.size > 0) await Promise.all(this.#underWay);
  }
}

/** {@link Tasks}, of which each key has one at a time. */
export class KeyedTasks {
  readonly #tasks = new Tasks();
  readonly #keys = new Set<string>();

  /** Begins a task, unless one of the same key is under way. @param task must not fail */
  begin(key: string, task: () => Promise<unknown>): void {
    if (this.#keys.has(key)) return;
    this.#keys.add(key);
    this.#tasks.add(task().finally(() => this.#keys.delete(key)));
  }

  /** As {@link Tasks.settled}. */
  settled(): Promise<void> {
    return this.#tasks.settled();
  }
}
