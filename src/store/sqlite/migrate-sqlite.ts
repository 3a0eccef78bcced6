import {
  CREATE_MIGRATIONS_TABLE,
  INSERT_MIGRATION,
  pendingMigrations,
  SELECT_MIGRATIONS,
  type AppliedMigration,
  type Migration,
} from '#store/migrations.js';
import type { SqliteDatabase } from './connection.js';

/** Brings a SQLite database up to date, one transaction for each migration; returns the names of those it ran. */
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
