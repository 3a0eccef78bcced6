import Database from 'better-sqlite3';
import { existsSync, realpathSync } from 'node:fs';
import { isBusy } from './sqlite-errors.js';

/** Lets go of a lock. It must be kept: when it is garbage, so is the lock. */
export type Release = () => void;

/**
 * Takes a database file for this process: a second small file beside it is kept exclusively locked. The operating
 * system frees it when the process ends, however it ends.
 */
export function lockDatabaseFile(path: string): Release {
  // SQLite follows links, so whoever opens the file under the name of one must find the same lock.
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
