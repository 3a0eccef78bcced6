import { describeSystemError } from '#kernel/errors/system-error.js';
import Database from 'better-sqlite3';
import { chmodSync, closeSync, existsSync, openSync, statSync } from 'node:fs';

// Opens SQLite connections with the settings that durability and privacy need, for the store threads and the tools of
// the command line.

/** A connection of better-sqlite3. */
export type SqliteDatabase = Database.Database;
/** A statement that returns its rows as arrays. */
export type SqliteStatement = Database.Statement<unknown[], unknown[]>;

/** How long a connection waits for a lock of another program, such as an operator's SQLite shell. */
const BUSY_TIMEOUT_MS = 2_000;

/**
 * `synchronous = FULL` must be set on every connection: better-sqlite3 is compiled with NORMAL as the default in WAL
 * mode, which loses acknowledged commits on a power cut.
 */
const PRAGMAS = [
  'synchronous = FULL',
  'foreign_keys = ON',
  'trusted_schema = OFF',
  // Overwrites deleted data, which could otherwise be read from the file until its pages are reused.
  'secure_delete = ON',
  'wal_autocheckpoint = 1000',
  'journal_size_limit = 67108864',
  // 8 MB: nearly every commit scans all cached pages, and the operating system caches the file as well.
  'cache_size = -8192',
  'temp_store = MEMORY',
  'mmap_size = 0',
];

/** The mode of database files: they hold personal data, so only the user of the process may read them. */
const OWN_FILE_MODE = 0o600;

/** Creates an empty file that only the user of the process may read, or removes the rights of others from a file. */
export function makePrivateFile(path: string): void {
  try {
    closeSync(openSync(path, 'a', OWN_FILE_MODE));
  } catch (error) {
    // Error codes are lost between threads, so the message is made here.
    throw new Error(describeSystemError(error), { cause: error });
  }
  // SQLite gives its other files the mode of the database when it creates them, but keeps the mode of existing files.
  for (const file of [path, `${path}-wal`, `${path}-shm`]) if (existsSync(file)) restrictMode(file);
}

/** Restricts the mode of a file, unless the file belongs to another user. */
function restrictMode(file: string): void {
  if ((statSync(file).mode & 0o077) === 0) return;
  try {
    chmodSync(file, OWN_FILE_MODE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
  }
}

/** Opens the only connection that writes; creates the file when it is missing. @throws Error for a foreign database */
export function openForWriting(path: string): SqliteDatabase {
  makePrivateFile(path);
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS });
  assertNotForeign(database);
  // Takes effect only on an empty file, before WAL mode writes the first page.
  database.pragma('auto_vacuum = INCREMENTAL');
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  if (mode !== 'wal')
    throw new Error(`the database cannot use a write-ahead log here (journal mode: ${String(mode)})`);
  for (const pragma of PRAGMAS) database.pragma(pragma);
  return database;
}

/** Opens a read-only connection; the file must exist. */
export function openForReading(path: string): SqliteDatabase {
  const database = new Database(path, { timeout: BUSY_TIMEOUT_MS, readonly: true, fileMustExist: true });
  for (const pragma of PRAGMAS) database.pragma(pragma);
  return database;
}

/** SQLite's number for `synchronous = FULL`. */
const SYNCHRONOUS_FULL = 2;

/**
 * Throws unless commits are flushed to the disk. It writes before it reads the setting: until the first write of a
 * connection, the pragma may say FULL although commits are not flushed.
 */
export function assertDurable(database: SqliteDatabase): void {
  const version = database.pragma('user_version', { simple: true }) as number;
  database.transaction(() => database.pragma(`user_version = ${version}`)).immediate();
  const synchronous = database.pragma('synchronous', { simple: true });
  if (synchronous !== SYNCHRONOUS_FULL) {
    throw new Error(`SQLite would not flush its commits to the disk (synchronous is ${String(synchronous)})`);
  }
}

/** The version of the SQLite library, such as `3.50.4`. */
export function sqliteVersion(database: SqliteDatabase): string {
  return database.prepare<[], { version: string }>('select sqlite_version() as version').get()!.version;
}

/** True if the service has opened this database before. */
export function hasMigrations(database: SqliteDatabase): boolean {
  return database.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get() !== undefined;
}

/** Throws for the database of another program, which has tables, but no `schema_migrations`. */
export function assertNotForeign(database: SqliteDatabase): void {
  if (hasMigrations(database)) return;
  const table = database
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table'")
    .get();
  if (table)
    throw new Error(`it is the database of another program: it has a table ${table.name}, and none of ours`);
}
