/** A lock that is held, and the transactions that wait for it, in the order of their requests. */
interface Lock<Holder> {
  holder: Holder;
  waiting: { holder: Holder; wake: () => void }[];
}

/**
 * Thrown for a deadlock: the holder of the lock waits, directly or through other holders, for a lock of the transaction
 * that wants this lock.
 */
export class LockCycle extends Error {}

/**
 * Locks by name between transactions of the service that share one database transaction (a commit): the database's own
 * locks do not hold between them. Each lock is passed on in the order of the requests. A holder is a transaction.
 */
export class LockTable<Holder extends object> {
  readonly #locks = new Map<string, Lock<Holder>>();
  /** The lock that each waiting holder waits for. */
  readonly #waitsFor = new Map<Holder, Lock<Holder>>();

  /** Resolves when the holder has the lock, at once if it has it already. @throws LockCycle */
  async take(holder: Holder, name: string): Promise<void> {
    const lock = this.#locks.get(name);
    if (lock?.holder === holder) return;
    if (!lock) {
      this.#locks.set(name, { holder, waiting: [] });
      return;
    }
    // Follows the waits from the holder of the lock: to the holder of the lock that it waits for, and so on.
    for (let other: Holder | undefined = lock.holder; other; other = this.#waitsFor.get(other)?.holder) {
      if (other === holder)
        throw new LockCycle(`two transactions of one commit wait for each other (${name})`);
    }
    this.#waitsFor.set(holder, lock);
    await new Promise<void>((wake) => lock.waiting.push({ holder, wake }));
  }

  /** Releases all locks of a holder; each goes to the first transaction that waits for it. */
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
