interface Lock<Holder> {
  holder: Holder;
  waiting: { holder: Holder; wake: () => void }[];
}

/** Thrown by a transaction that would wait for itself, through others. */
export class LockCycle extends Error {}

/**
 * Locks by name between transactions that share one database transaction, where the database's own locks do not hold.
 * Waiters are served in their order.
 */
export class LockTable<Holder extends object> {
  readonly #locks = new Map<string, Lock<Holder>>();
  readonly #waitsFor = new Map<Holder, Lock<Holder>>();

  /** Resolves when the holder has the lock. @throws LockCycle */
  async take(holder: Holder, name: string): Promise<void> {
    const lock = this.#locks.get(name);
    if (lock?.holder === holder) return;
    if (!lock) {
      this.#locks.set(name, { holder, waiting: [] });
      return;
    }
    for (let other: Holder | undefined = lock.holder; other; other = this.#waitsFor.get(other)?.holder) {
      if (other === holder)
        throw new LockCycle(`two transactions of one commit wait for each other (${name})`);
    }
    this.#waitsFor.set(holder, lock);
    await new Promise<void>((wake) => lock.waiting.push({ holder, wake }));
  }

  /** Passes on all locks of a holder that is done. */
  release(holder: Holder): void {
    for (const [name, lock] of this.#locks) {
      if (lock.holder !== holder) continue;
      const next = lock.waiting.shift();
      if (!next) {
        this.#locks.delete(name);
        continue;
      }
      lock.holder = next.holder;
      this.#waitsFor.delete(next.holder);
      next.wake();
    }
  }
}
