import type { Engine } from '#store/threads/engine.js';
import { readMigrations } from '#store/migrations.js';
import type { ThreadTask } from '#store/threads/thread-protocol.js';
import { assertDurable, openForReading, openForWriting, sqliteVersion } from './connection.js';
import { watchPlace } from './file-in-place.js';
import { lockDatabaseFile } from './file-lock.js';
import { GroupCommit } from './group-commit.js';
import { migrateSqlite } from './migrate-sqlite.js';
import { SnapshotReader } from './snapshot-reader.js';

/** Opens a SQLite file inside a store thread. The writer comes first: it takes the lock and migrates. */
export function openSqlite(path: string, task: ThreadTask): Engine {
  return task.role === 'writer' ? openWriter(path, task) : openReader(path);
}

function openWriter(path: string, task: ThreadTask): Engine {
  const release = lockDatabaseFile(path);
  try {
    const database = openForWriting(path);
    const migrated = migrateSqlite(database, readMigrations(task.migrationsDir), task.startedAt);
    assertDurable(database);
    const facts = { engine: 'sqlite', version: sqliteVersion(database), migrated } as const;
    return new GroupCommit(database, facts, { assertInPlace: watchPlace(path), onClose: release });
  } catch (error) {
    release();
    throw error;
  }
}

function openReader(path: string): Engine {
  const database = openForReading(path);
  // A read-only connection could still attach or copy other files.
  database.pragma('query_only = ON');
  return new SnapshotReader(database, { engine: 'sqlite', version: sqliteVersion(database), migrated: [] });
}
