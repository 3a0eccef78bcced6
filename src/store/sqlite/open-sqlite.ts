import { statSync } from 'node:fs';
import type { Engine } from '#store/threads/serve-database.js';
import {
  CREATE_MIGRATIONS_TABLE,
  INSERT_MIGRATION,
  pendingMigrations,
  readMigrations,
  SELECT_MIGRATIONS,
  type AppliedMigration,
  type Migration,
} from '#store/migrations.js';
import type { ThreadTask } from '#store/threads/thread-protocol.js';
import {
  assertDurable,
  openForReading,
  openForWriting,
  sqliteVersion,
  type SqliteDatabase,
} from './connection.js';
import { lockDatabaseFile } from './file-lock.js';
import { GroupCommit } from './group-commit.js';
import { SnapshotReader } from './snapshot-reader.js';

/** Opens a SQLite file inside a store thread. The writer must open first: it takes the file lock and migrates. */
export function openSqlite(path: string, task: ThreadTask): Engine {
  return task.role === 'writer' ? openWriter(path, task) : openReader(path);
}

/** Locks and migrates the file, and opens the connection that writes. */
function openWriter(path: string, task: ThreadTask): Engine {
  const release = lockDatabaseFile(path);
  try {
    const database = openForWriting(path);
    const migrated = migrateSqlite(database, readMigrations(task.migrationsDir), task.startedAt);
    assertDurable(database);
    const facts = { engine: 'sqlite', version: sqliteVersion(database), migrated } as const;
    return new GroupCommit(database, facts, { assertInPlace: inodeCheck(path), onClose: release });
  } catch (error) {
    release();
    throw error;
  }
}

function openReader(path: string): Engine {
  const database = openForReading(path);
  // A connection that was opened read-only could still attach other files and write to them.
  database.pragma('query_only = ON');
  return new SnapshotReader(database, { engine: 'sqlite', version: sqliteVersion(database), migrated: [] });
}

/** Applies pending migrations, one transaction each; returns their names. */
export function migrateSqlite(
  database: SqliteDatabase,
  known: readonly Migration[],
  nowMs: number,
): string[] {
  database.exec(CREATE_MIGRATIONS_TABLE);
  const applied = database.prepare<[], AppliedMigration>(SELECT_MIGRATIONS).all();
  const pending = pendingMigrations(applied, known);
  const insert = database.prepare(INSERT_MIGRATION);
  for (const migration of pending) {
    database
      .transaction(() => {
        database.exec(migration.sql);
        insert.run(migration.name, migration.checksum, nowMs);
      })
      .immediate();
  }
  return pending.map((migration) => migration.name);
}

/**
 * Records the inode of an open database. SQLite continues to write to a file that was removed, replaced or hidden by a
 * mount, and those commits are lost when the process ends.
 * @returns a function that throws when the path no longer leads to that inode
 */
function inodeCheck(path: string): () => void {
  const opened = inodeOf(path);
  return () => {
    if (inodeOf(path) !== opened) throw new Error(`${path} was removed or replaced while it was open`);
  };
}

/** The inode of a file, by which SQLite also identifies files; undefined for a missing file. */
function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino;
}
