import { describeSystemError } from '#kernel/errors/system-error.js';
import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';
import { refuseForeign } from './ownership.js';

export type SqliteDatabase = Database.Database;
/** A statement whose rows come as arrays. */
export type SqliteStatement = Database.Statement<unknown[], unknown[]>;

/** How long a connection waits for a lock of a foreign program, such as a shell that an operator opened. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * Every connection says `synchronous = FULL` itself: better-sqlite3 is compiled so that a database in WAL mode
 * silently falls back to NORMAL, which loses acknowledged commits when the power goes.
 */
const PRAGMAS = [
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  // What is erased is overwritten, or it could be read from the file until its room is used again.
  'secure_delete = ON',
  'wal_autocheckpoint = 1000',
  'journal_size_limit = 67108864',
  // 8 MB: nearly every commit walks through all pages that are cached, and what is not is in the system's own cache.
  'cache_size = -8192',
  'temp_store = MEMORY',
  'mmap_size = 0',
];

/** What is in a database is about people's calls: only our own user reads it, whatever folder it lies in. */
const OWN_FILE_MODE = 0o600;

/** Makes an empty file that only our own user may read, or takes the right from others where it is there. */
export function makeOwnFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', OWN_FILE_MODE));
  } catch (error) {
    // The code of an error is lost on its way from a thread: the sentence is made here.
    throw new Error(describeSystemError(error), { cause: error });
  }
  // SQLite gives its other files the mode of the database; those that are there keep the one they have.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) makeOwn(file);
}

/** A file of another user, which we may only write, stays as it is. */
function makeOwn(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, OWN_FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Opens the one connection that writes, and creates the file when it is missing. */
export function openForWriting(path: string): SqliteDatabase {
  makeOwnFile(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  refuseForeign(database);
  // Only an empty file takes it, and only before WAL mode writes the first page.
  database.pragma('auto_vacuum = INCREMENTAL');
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal')
    throw new Error(`the database cannot use a write-ahead log here (journal mode: ${String(mode)})`);
  for (const pragma of PRAGMAS) database.pragma(pragma);
  return database;
}

/** Opens a connection that can only read; the writer's connection must be open already. */
export function openForReading(path: string): SqliteDatabase {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
  for (const pragma of PRAGMAS) database.pragma(pragma);
  return database;
}

/** SQLite's own number of `synchronous = FULL`. */
const SYNCHRONOUS_FULL = 2;

/** Refuses to go on unless commits are flushed to the disk; asked after a write, because only that shows the truth. */
export function assertDurable(database: SqliteDatabase): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  database.transaction(() => database.pragma(`user_version = ${version}`)).immediate();
  const synchronous = database.pragma('synchronous', { simple: true });
  if (synchronous !== SYNCHRONOUS_FULL) {
    throw new Error(`SQLite would not flush its commits to the disk (synchronous is ${String(synchronous)})`);
  }
}

export function sqliteVersion(database: SqliteDatabase): string {
  return database.prepare<[], { version: string }>('select sqlite_version() as version').get()!.version;
}
