import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { inspectDatabase } from '#store/inspect-database.js';
import { openPostgres } from '#test/support/postgres.js';
import { MIGRATIONS } from '#test/support/fresh-database.js';
import { openTestStore } from '#test/support/store.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';

const postgres = await openPostgres();
const FOLDER = fileURLToPath(MIGRATIONS);
const UNITS = [new URL('../../support/sql-transactions.ts', import.meta.url)];

describe.skipIf(postgres.isMissing)('inspecting a PostgreSQL database', () => {
  const look = (url: string) => inspectDatabase(url, FOLDER);

  it('creates nothing, and finds pending migrations', async () => {
    const databaseUrl = await postgres.server.createDatabase();
    const fresh = await look(databaseUrl);
    expect(fresh).toMatchObject({
      kind: 'missing',
      name: expect.stringMatching(/^PostgreSQL at 127\.0\.0\.1/),
    });
    expect(await look(databaseUrl)).toEqual(fresh);

    const store = await openTestStore({ threadTransactions: UNITS, databaseUrl });
    expect(await look(databaseUrl)).toMatchObject({ kind: 'found', pending: [] });

    const last = fresh.pending.at(-1)!;
    await store.write(sqlTransactions.run, {
      sql: 'delete from schema_migrations where name = ?',
      values: [last],
    });
    expect(await look(databaseUrl)).toMatchObject({ kind: 'found', pending: [last] });
    expect(await look(databaseUrl)).toMatchObject({ pending: [last] });
  });

  it('says what is wrong, without the password', async () => {
    const databaseUrl = new URL(await postgres.server.createDatabase());
    databaseUrl.pathname = '/nowhere';
    const error = await look(databaseUrl.href).catch((thrown: unknown) => thrown as Error);
    expect((error as Error).message).toMatch(/^PostgreSQL at .*\/nowhere: .*"nowhere" does not exist/);
    expect((error as Error).message).not.toContain(databaseUrl.password);
  });

  it('says that the user may not create tables', async () => {
    const databaseUrl = new URL(await postgres.server.createDatabase());
    await postgres.server.administer(`create user guest password 'guest'`);
    databaseUrl.username = databaseUrl.password = 'guest';
    await expect(look(databaseUrl.href)).rejects.toThrow(/may not create tables there/);
  });
});
