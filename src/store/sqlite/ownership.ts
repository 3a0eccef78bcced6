import type Database from 'better-sqlite3';

/** Whether the service has ever opened this database. */
export function hasMigrations(database: Database.Database): boolean {
  return database.prepare("select 1 from sqlite_master where name = 'schema_migrations'").get() !== undefined;
}

/** Leaves a file alone that another program has written: our tables have no place in it. */
export function refuseForeign(database: Database.Database): void {
  if (hasMigrations(database)) return;
  const table = database
    .prepare<[], { name: string }>("select name from sqlite_master where type = 'table'")
    .get();
  if (table)
    throw new Error(`it is the database of another program: it has a table ${table.name}, and none of ours`);
}
