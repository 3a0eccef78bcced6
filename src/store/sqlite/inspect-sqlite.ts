import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { requireWritableFolder } from '#kernel/system/writable-folder.js';
import { SELECT_MIGRATIONS, type AppliedMigration } from '#store/migrations.js';
import { openForReading } from './connection.js';
import { lockDatabaseFile, type Release } from './file-lock.js';
import { hasMigrations, refuseForeign } from './ownership.js';

/**
 * The migrations that a database file has applied; null where there is no file, or one without any table.
 * @throws Error when it is no database of ours, or cannot be written
 */
export function appliedInSqlite(path: string): AppliedMigration[] | null {
  if (!existsSync(path)) {
    requireWritableFolder(dirname(path));
    return null;
  }
  accessSync(path, constants.W_OK);
  return leavingNothing(path, () => {
    const database = openForReading(path);
    try {
      refuseForeign(database);
      if (!hasMigrations(database)) return null;
      return database.prepare<[], AppliedMigration>(SELECT_MIGRATIONS).all();
    } finally {
      database.close();
    }
  });
}

/**
 * Even a reader makes the files of a write-ahead log, and does not take them away. They are removed while nobody else
 * can have begun to use them; where a service has the database open, they are its own.
 */
function leavingNothing<Result>(path: string, look: () => Result): Result {
  const missing = ['-wal', '-shm'].map((suffix) => `${path}${suffix}`).filter((file) => !existsSync(file));
  const release = existsSync(`${path}.lock`) ? lockUnlessTaken(path) : null;
  try {
    return look();
  } finally {
    if (release) for (const file of missing) rmSync(file, { force: true });
    release?.();
  }
}

function lockUnlessTaken(path: string): Release | null {
  try {
    return lockDatabaseFile(path);
  } catch {
    return null;
  }
}
