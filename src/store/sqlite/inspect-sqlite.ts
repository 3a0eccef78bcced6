import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { requireWritableFolder } from '#kernel/system/folders.js';
import { SELECT_MIGRATIONS, type AppliedMigration } from '#store/migrations.js';
import { hasMigrations, openForReading, assertNotForeign } from './connection.js';
import { lockDatabaseFile, type Release } from './file-lock.js';

/**
 * The migrations that were applied to a database file, read without changing the file; null without a file, or for a
 * file in which no migration was ever applied. Used by `inspectDatabase`.
 * @throws Error for the database of another program, and for a file or a folder that cannot be written
 */
export function appliedInSqlite(path: string): AppliedMigration[] | null {
  if (!existsSync(path)) {
    requireWritableFolder(dirname(path));
    return null;
  }
  accessSync(path, constants.W_OK);
  return withoutNewFiles(path, () => {
    const database = openForReading(path);
    try {
      assertNotForeign(database);
      if (!hasMigrations(database)) return null;
      return database.prepare<[], AppliedMigration>(SELECT_MIGRATIONS).all();
    } finally {
      database.close();
    }
  });
}

/**
 * Runs `inspect` and removes the write-ahead log files that it created: even a reader creates them, and leaves them
 * behind. They are removed only under the file lock of the service, if there is one: without the lock, a service may be
 * using them, and they stay.
 */
function withoutNewFiles<Result>(path: string, inspect: () => Result): Result {
  const missing = ['-wal', '-shm'].map((suffix) => `${path}${suffix}`).filter((file) => !existsSync(file));
  const release = existsSync(`${path}.lock`) ? lockUnlessTaken(path) : null;
  try {
    return inspect();
  } finally {
    if (release) for (const file of missing) rmSync(file, { force: true });
    release?.();
  }
}

/** Locks the database file; null if that fails, usually because a service holds the lock. */
function lockUnlessTaken(path: string): Release | null {
  try {
    return lockDatabaseFile(path);
  } catch {
    return null;
  }
}
