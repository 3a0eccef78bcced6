import { statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shrinkTransactions } from '#housekeeping/shrink-store.js';
import type { Store } from '#store/store.js';
import { openPostgres } from '#test/support/postgres.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { startTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const postgres = await openPostgres();
const UNITS = [new URL('../../support/sql-transactions.ts', import.meta.url)];
const MEGABYTE = 2 ** 20;

/** So many secrets of a kilobyte. */
function fill(store: Store, count: number): Promise<number> {
  const row = "'s' || n, substr('" + 'x'.repeat(1_000) + "' || n, 1, 1000)";
  const numbers = `with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < ${count})`;
  return store.write(sqlTransactions.run, {
    sql: `insert into secrets (name, value) ${numbers} select ${row} from numbers`,
  });
}

async function giveBackAll(store: Store): Promise<number> {
  let slices = 0;
  while (await store.write(shrinkTransactions.giveBack, {})) slices += 1;
  return slices;
}

describe('a database that has shrunk', () => {
  it('returns its free pages to the file system, but for a reserve', async () => {
    const path = join(temporaryFolder(), 'shrinking.db');
    const open = () => startTestStore({ threadTransactions: UNITS, databaseUrl: `sqlite:${path}` });
    let store = await open();
    await fill(store, 40_000);
    expect(await giveBackAll(store)).toBe(0);
    await store.write(sqlTransactions.run, {
      sql: "delete from secrets where name > 's2'",
    });
    await store.close();
    const before = statSync(path).size;

    store = await open();
    expect(await giveBackAll(store)).toBeGreaterThan(10);
    await store.close();
    expect(before).toBeGreaterThan(40 * MEGABYTE);
    expect(statSync(path).size).toBeLessThan(before - 10 * MEGABYTE);
    store = await open();
    expect(await giveBackAll(store)).toBe(0);
    expect(await store.read(sqlTransactions.all, { sql: 'pragma integrity_check' })).toEqual([
      { integrity_check: 'ok' },
    ]);
    await store.close();
  });

  it.skipIf(postgres.isMissing)('is not touched on PostgreSQL', async () => {
    const store = await startTestStore({
      threadTransactions: UNITS,
      databaseUrl: await postgres.migratedDatabase(),
    });
    expect(await giveBackAll(store)).toBe(0);
    await store.close();
  });
});
