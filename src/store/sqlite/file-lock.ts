import Database from 'better-sqlite3';
import { existsSync, realpathSync } from 'node:fs';
import { isBusy } from './sqlite-errors.js';

/** A function that releases a lock. Keep a reference: when it is garbage collected, the lock is released. */
export type Release = () => void;

/**
 * Locks a database file for this process, by an exclusive SQLite lock on `<path>.lock`. The operating system releases
 * the lock when the process ends, however it ends. Held by the writer thread, and while a backup is restored.
 * @throws Error when another process holds the lock
 */
export function lockDatabaseFile(path: string): Release {
  // SQLite follows symbolic links, so both names of a file must lead to one lock.
  const lock = new Database(`${existsSync(path) ? realpathSync(path) : path}.lock`, { timeout: 0 });
  try {
    lock.pragma('journal_mode = DELETE');
    lock.exec('begin exclusive');
  } catch (error) {
    lock.close();
    if (!isBusy(error)) throw error;
    throw new Error(`the database ${path} is already open by another process: stop that one first`, {
      cause: error,
    });
  }
  return () => lock.close();
}
