import Database from 'better-sqlite3';
import { constants, copyFileSync, existsSync, renameSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { makeFolder } from '#kernel/system/folders.js';
import { pendingMigrations, readMigrations, SELECT_MIGRATIONS, type AppliedMigration } from './migrations.js';
import { assertIntact, syncToDisk } from '#store/sqlite/copy-database.js';
import { lockDatabaseFile } from '#store/sqlite/file-lock.js';
import { hasMigrations } from '#store/sqlite/connection.js';

/** Options of a restore. */
export interface RestoreOptions {
  /** True: an existing database is replaced. */
  force: boolean;
  /** The folder of this release's migrations: a backup of a newer release is refused. */
  migrationsDir: string;
}

/** The suffixes of the database file and of the files that SQLite and the process lock may leave next to it. */
const FILE_SUFFIXES = ['', '-wal', '-shm', '-journal', '.lock'];

/**
 * Replaces a SQLite database by a backup. The file is replaced atomically: a crash leaves the old database, or the
 * complete new one. Blocks while it copies, so it is for the command line, not for a running service.
 * @param prepare changes a copy of the backup before it takes the database's place; must leave it closed
 * @throws Error for a corrupt or foreign backup, one of a newer release, a database in use, or an existing database
 *   without `force`
 */
export async function restoreBackup<Result>(
  backupPath: string,
  databasePath: string,
  options: RestoreOptions,
  prepare: (copyPath: string) => Promise<Result>,
): Promise<Result> {
  assertRestorable(backupPath, options.migrationsDir);
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

/** Removes an unfinished copy with its write-ahead log, which SQLite would replay into the next copy of that name. */
function removeAll(path: string): void {
  for (const suffix of FILE_SUFFIXES) rmSync(`${path}${suffix}`, { force: true });
}

/** Throws unless the file is an intact backup of this service, of this release or an older one. */
function assertRestorable(backupPath: string, migrationsDir: string): void {
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
 * Empties and removes the write-ahead log of the old database, which SQLite would replay into the new file. A
 * checkpoint first moves its commits into the old file, which stays complete until it is replaced.
 */
function emptyOldLog(databasePath: string): void {
  if (existsSync(databasePath)) {
    try {
      const old = new Database(databasePath);
      old.pragma('wal_checkpoint(TRUNCATE)');
      old.close();
    } catch {
      // A corrupt database is a reason to restore it: its log is simply removed.
    }
  }
  for (const suffix of ['-wal', '-shm']) rmSync(`${databasePath}${suffix}`, { force: true });
  syncToDisk(dirname(databasePath));
}
