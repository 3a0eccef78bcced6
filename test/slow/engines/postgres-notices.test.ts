import { describe, expect, it } from 'vitest';
import { faultTransactions } from '#test/integration/store/fault-transactions.js';
import { THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { openPostgres } from '#test/support/postgres.js';
import { openTestStore } from '#test/support/store.js';

const FAULT_UNITS = new URL('../../integration/store/fault-transactions.ts', import.meta.url);

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('what one process tells the others over PostgreSQL', () => {
  const openOn = (databaseUrl: string) =>
    openTestStore({
      threadTransactions: [THING_UNITS, FAULT_UNITS],
      databaseUrl,
      migrationsDir: THING_MIGRATIONS,
    });

  async function openTwo() {
    const databaseUrl = await postgres.server.createDatabase();
    const [teller, hearer] = [await openOn(databaseUrl), await openOn(databaseUrl)];
    const heard: string[] = [];
    let begun = 0;
    const stop = hearer.listen('here', (id) => (id === 'begin' ? (begun += 1) : heard.push(id)));
    const tell = (id: string, more = {}) =>
      teller.write(faultTransactions.tell, { topic: 'here', id, ...more });
    // The connection that hears is opened beside the others.
    await expect.poll(() => tell('begin').then(() => begun)).toBeGreaterThan(0);
    return { teller, hearer, heard, stop, tell };
  }

  it('is heard by whoever listens to its topic, once it is committed', async () => {
    const { teller, heard, stop, tell } = await openTwo();
    await tell('not-meant', { fails: true }).catch(() => {});
    await teller.write(faultTransactions.tell, { topic: 'elsewhere', id: 'other' });
    await tell('first');
    await expect.poll(() => heard).toEqual(['first']);
    stop();
    await tell('second');
    await tell('third');
    expect(heard).toEqual(['first']);
  });

  it('is heard again after the server has cut the connections', async () => {
    const { teller, heard, tell } = await openTwo();
    await teller.write(faultTransactions.cutConnections, undefined);
    let count = 0;
    await expect
      .poll(
        async () => {
          await tell(`after-${(count += 1)}`).catch(() => {});
          return heard.length;
        },
        { timeout: 10_000 },
      )
      .toBeGreaterThan(0);
  });
});
