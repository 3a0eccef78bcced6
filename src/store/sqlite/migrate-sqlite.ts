import {
  CREATE_MIGRATIONS_TABLE,
  INSERT_MIGRATION,
  pendingMigrations,
  SELECT_MIGRATIONS,
  type AppliedMigration,
  type Migration,
} from '../migrations.js';
import type { SqliteDatabase } from './connection.js';

/** Whether the service has ever opened this database. */
export function hasMigrations(database: SqliteDatabase): boolean {
  return database.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get() !== undefined;
}

/** Leaves a file alone that another program has written: our tables have no place in it. */
export function refuseForeign(database: SqliteDatabase): void {
  if (hasMigrations(database)) return;
  const table = database
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table'")
    .get();
  if (table)
    throw new Error(`it is the database of another program: it has a table ${table.name}, and none of ours`);
}

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
