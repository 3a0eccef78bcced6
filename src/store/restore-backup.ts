import Database from 'better-sqlite3';
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#kernel/system/make-folder.js';
import { pendingMigrations, readMigrations, SELECT_MIGRATIONS, type AppliedMigration } from './migrations.js';
import { assertIntact, syncToDisk } from '#store/sqlite/copy-database.js';
import { lockDatabaseFile } from '#store/sqlite/file-lock.js';
import { hasMigrations } from '#store/sqlite/ownership.js';

/** What a restore may replace, and which schema it must know. */
export interface RestoreOptions {
  /** Replace a database that exists. */
  force: boolean;
  /** The folder of this release's migrations: a backup of a newer one could not be opened. */
  migrationsDir: string;
}

/** Everything that SQLite, and the lock of a process, may have left beside a file. */
const COMPANIONS = ['', '-wal', '-shm', '-journal', '.lock'];

/**
 * Puts a backup in the place of a SQLite database. It refuses a damaged or foreign file, one of a newer release, a
 * database that a process has open, and, unless forced, one that exists. The database file is replaced in one step: a
 * crash leaves the old one, or the new one as it is to be opened. It is for a command and not for a running service:
 * copying blocks.
 * @param prepare changes what must be changed before anybody opens it; it is given the path of a copy of the backup,
 * and leaves it closed
 */
export async function restoreBackup<Result>(
  backupPath: string,
  databasePath: string,
  options: RestoreOptions,
  prepare: (copyPath: string) => Promise<Result>,
): Promise<Result> {
  assertOurs(backupPath, options.migrationsDir);
  makeFolder(dirname(databasePath));
  const release = lockDatabaseFile(databasePath);
  try {
    if (existsSync(databasePath) && !options.force) {
      throw new Error(`${databasePath} exists already, and is replaced only with --force`);
    }
    const unfinishedPath = `${databasePath}.restoring`;
    removeAll(unfinishedPath);
    try {
      copyFileSync(backupPath, unfinishedPath, constants.COPYFILE_FICLONE);
      const prepared = await prepare(unfinishedPath);
      syncToDisk(unfinishedPath);
      emptyOldLog(databasePath);
      renameSync(unfinishedPath, databasePath);
      syncToDisk(dirname(databasePath));
      return prepared;
    } finally {
      removeAll(unfinishedPath);
    }
  } finally {
    release();
  }
}

/** A restore that was cut short leaves a log, which SQLite would play into the next copy. */
function removeAll(path: string): void {
  for (const suffix of COMPANIONS) rmSync(`${path}${suffix}`, { force: true });
}

function assertOurs(backupPath: string, migrationsDir: string): void {
  if (!existsSync(backupPath)) throw new Error(`${backupPath} does not exist`);
  try {
    assertIntact(backupPath, 'integrity_check');
  } catch (error) {
    throw new Error(`${backupPath} cannot be restored: it is no intact SQLite database`, { cause: error });
  }
  const database = new Database(backupPath, { readonly: true });
  try {
    if (!hasMigrations(database))
      throw new Error('it is no backup of this service: it has no schema_migrations table');
    pendingMigrations(
      database.prepare<[], AppliedMigration>(SELECT_MIGRATIONS).all(),
      readMigrations(migrationsDir),
    );
  } catch (error) {
    throw new Error(`${backupPath} cannot be restored: ${(error as Error).message}`, { cause: error });
  } finally {
    database.close();
  }
}

/**
 * The old log must be gone before the new file takes the name, or SQLite would play it into the new file. Its
 * commits go into the old file first, which stays whole until it is replaced.
 */
function emptyOldLog(databasePath: string): void {
  if (existsSync(databasePath)) {
    try {
      const old = new Database(databasePath);
      old.pragma('wal_checkpoint(TRUNCATE)');
      old.close();
    } catch {
      // A damaged database is a reason to restore, not to refuse.
    }
  }
  for (const suffix of ['-wal', '-shm']) rmSync(`${databasePath}${suffix}`, { force: true });
  syncToDisk(dirname(databasePath));
}
