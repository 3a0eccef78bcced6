import { describe, expect, it } from 'vitest';
import { thingTransactions } from '#test/contracts/store-transactions.js';
import { THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { openPostgres } from '#test/support/postgres.js';
import { openTestStore } from '#test/support/store.js';

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('a PostgreSQL server that has no connections left', () => {
  it('has a start wait for one, and the log says so once', async () => {
    await postgres.server.administer(`create role late login password 'late' connection limit 0`);
    const address = new URL(await postgres.server.createDatabase());
    await postgres.server.administer(`alter database ${address.pathname.slice(1)} owner to late`);
    address.username = address.password = 'late';
    const { log, lines } = createMemoryLog();
    const warnings = () => lines.filter(({ level }) => level === 'warn');
    const opening = openTestStore({
      threadTransactions: [THING_UNITS],
      databaseUrl: address.href,
      migrationsDir: THING_MIGRATIONS,
      log,
    });
    await expect
      .poll(warnings)
      .toMatchObject([{ msg: 'the start waits for a free connection to the database', reason: /too many/ }]);
    await postgres.server.administer('alter role late connection limit 2');
    const store = await opening;
    expect(await store.write(thingTransactions.putIfNew, 'first')).toBe(true);
    expect(warnings()).toMatchObject([{}, { msg: 'the database has a free connection again' }]);
  });

  const allow = (count: number) => postgres.server.administer(`alter role crowd connection limit ${count}`);

  it('has its transactions wait for one, and none of them is refused or told of', async () => {
    await postgres.server.administer(`create role crowd login password 'crowd' connection limit 3`);
    const address = new URL(await postgres.server.createDatabase());
    await postgres.server.administer(`alter database ${address.pathname.slice(1)} owner to crowd`);
    address.username = address.password = 'crowd';
    const { log, lines } = createMemoryLog();
    const store = await openTestStore({
      threadTransactions: [THING_UNITS],
      databaseUrl: address.href,
      migrationsDir: THING_MIGRATIONS,
      log,
    });
    const put = (id: string) => store.write(thingTransactions.putIfNew, id);

    await allow(0);
    const [first] = await Promise.all([put('first'), allow(3)]);
    expect(first).toBe(true);

    const ids = Array.from({ length: 100 }, (_, index) => `of-many-${index}`);
    expect(new Set(await Promise.all(ids.map(put)))).toEqual(new Set([true]));
    expect(await store.read(thingTransactions.count, 'of-many-')).toBe(100);
    expect(lines.filter(({ level }) => Number(level) > 30)).toEqual([]);
  });
});
