/** The running background tasks of an object, so that the object can wait for all of them when it stops. */
export class Tasks {
  readonly #running = new Set<Promise<unknown>>();

  /** Adds a task that runs already. @param task must not reject: its error would be unhandled */
  add(task: Promise<unknown>): void {
    const tracked = task.finally(() => this.#running.delete(tracked));
    this.#running.add(tracked);
  }

  /** Resolves when no task runs, including tasks that were added meanwhile. */
  async settled(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running);
  }
}

/** {@link Tasks} with at most one running task for each key. */
export class KeyedTasks {
  readonly #tasks = new Tasks();
  readonly #keys = new Set<string>();

  /** Starts a task unless a task with the same key is running. @param task must not reject */
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
