import type { Client } from 'pg';
import { nameOfDatabase, parseDatabaseUrl } from './database-url.js';
import { pendingMigrations, readMigrations, SELECT_MIGRATIONS, type AppliedMigration } from './migrations.js';
import { openFailure } from './open-failure.js';

/** The state of a database before the service opens it. */
export interface DatabaseState {
  /** The name of the database, without user and password. */
  name: string;
  /** `missing`: there is no file, or there are no tables of the service; the first start creates them. */
  kind: 'missing' | 'found';
  /** Names of the migrations that the next start applies. */
  pending: readonly string[];
}

/**
 * Inspects a database without creating, migrating or changing it. Used by the command line.
 * @throws Error with the name of the database and the reason, if the service could not open it. A database that another
 * process has open is inspected all the same.
 */
export async function inspectDatabase(databaseUrl: string, migrationsDir: string): Promise<DatabaseState> {
  const target = parseDatabaseUrl(databaseUrl);
  const name = nameOfDatabase(target);
  try {
    const applied =
      target.engine === 'sqlite'
        ? (await import('#store/sqlite/inspect-sqlite.js')).appliedInSqlite(target.path)
        : await appliedInPostgres(target.url);
    const pending = pendingMigrations(applied ?? [], readMigrations(migrationsDir));
    return {
      name,
      kind: applied === null ? 'missing' : 'found',
      pending: pending.map((migration) => migration.name),
    };
  } catch (error) {
    throw openFailure(error, target);
  }
}

/** The pending migrations as text: `one migration waits (009-more)`. For a state with at least one. */
export function waitingMigrations({ pending }: DatabaseState): string {
  const waiting = pending.length === 1 ? 'one migration waits' : `${pending.length} migrations wait`;
  return `${waiting} (${pending.join(', ')})`;
}

/** The migrations that were applied to a PostgreSQL database; null if the service has not opened it before. */
async function appliedInPostgres(url: string): Promise<AppliedMigration[] | null> {
  const { assertDurable, assertMayCreateTables, connectForStart } =
    await import('#store/postgres/connect.js');
  const client: Client = await connectForStart(url);
  try {
    await client.query('set default_transaction_read_only = on');
    await assertDurable(client);
    const { rows } = await client.query<{ found: string | null }>(
      `select to_regclass('schema_migrations') as found`,
    );
    if (typeof rows[0]?.found !== 'string') {
      await assertMayCreateTables(client);
      return null;
    }
    return (await client.query<AppliedMigration>(SELECT_MIGRATIONS)).rows;
  } finally {
    await client.end();
  }
}
