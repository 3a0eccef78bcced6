import type { Client } from 'pg';
import { nameOfDatabase, parseDatabaseUrl } from './database-url.js';
import { pendingMigrations, readMigrations, SELECT_MIGRATIONS, type AppliedMigration } from './migrations.js';
import { openFailure } from './open-failure.js';

/** What a start would find. */
export interface DatabaseState {
  /** The database as it may be named: without user and password. */
  name: string;
  /** `missing`: there is none of ours there yet, and the first start makes it. */
  kind: 'missing' | 'found';
  /** Names of the migrations that the next start applies. */
  pending: readonly string[];
}

/**
 * Looks at a database without changing anything: it is neither made nor brought up to date.
 * @throws Error what would keep the service from opening it
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
    return { name, kind: applied === null ? 'missing' : 'found', pending: pending.map((one) => one.name) };
  } catch (error) {
    throw openFailure(error, target);
  }
}

/** The pending migrations in words: `one migration waits (009-more)`. */
export function waitingMigrations({ pending }: DatabaseState): string {
  const waiting = pending.length === 1 ? 'one migration waits' : `${pending.length} migrations wait`;
  return `${waiting} (${pending.join(', ')})`;
}

/** Null where the service has never been. */
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
