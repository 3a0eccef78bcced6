import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pingTransactions } from '#store/ping.js';
import type { Store } from '#store/store.js';
import { storeContract, THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { sharedTransactions, thingTransactions } from '#test/contracts/store-transactions.js';
import { startPostgres } from '#test/support/postgres.js';
import { openCountedNetwork } from '#test/support/network-paths.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { MIGRATIONS } from '#test/support/fresh-database.js';
import { openTestStore, startTestStore, type TestStoreOptions } from '#test/support/store.js';
import { faultTransactions, sharedFaultTransactions } from '#test/integration/store/fault-transactions.js';

const threadTransactions = [
  THING_UNITS,
  new URL('../../integration/store/fault-transactions.ts', import.meta.url),
];
const PING_UNITS = new URL('../../../src/store/ping.ts', import.meta.url);
const postgres = await startPostgres();

describe.skipIf(postgres.isMissing)('PostgreSQL', () => {
  storeContract('PostgreSQL', () => postgres.server.createDatabase());

  let store: Store;
  beforeAll(async () => {
    store = await startTestStore({
      threadTransactions,
      databaseUrl: await postgres.server.createDatabase(),
      migrationsDir: THING_MIGRATIONS,
    });
  });
  afterAll(() => store.close());

  it('bounds what could wait for ever', async () => {
    expect(await store.write(faultTransactions.setting, 'statement_timeout')).toBe('4500ms');
    expect(await store.write(faultTransactions.setting, 'lock_timeout')).toBe('2s');
    expect(await store.read(faultTransactions.setting, 'idle_in_transaction_session_timeout')).toBe('30s');
  });

  it('prepares a statement anew that failed when it was new to its connection', async () => {
    const store = await openThings();
    const unknown = { code: 'unknown' };
    for (const name of ['no.setting', 'lock_timeout', 'no.setting', 'lock_timeout'])
      expect(await store.write(faultTransactions.setting, name).catch(() => unknown)).toEqual(
        name === 'lock_timeout' ? '2s' : unknown,
      );
  });

  it('sends what is posted and what is locked with what comes behind it', async () => {
    const network = await openCountedNetwork(await postgres.server.createDatabase());
    const store = await openTestStore({
      threadTransactions,
      databaseUrl: network.url,
      migrationsDir: THING_MIGRATIONS,
    });
    await store.write(thingTransactions.put, { id: 'first', amount: 1 });
    const tripsOf = async (write: () => Promise<unknown>) => {
      const before = network.roundTrips();
      await write();
      return network.roundTrips() - before;
    };
    expect(await tripsOf(() => store.write(faultTransactions.tell, { topic: 'none', id: 'x' }))).toBe(1);
    expect(await tripsOf(() => store.write(thingTransactions.post, { id: 'posted' }))).toBe(2);
    const common = { id: 'other', common: 'first' };
    // Its insert, its look and its update are waited for, and its end.
    expect(await tripsOf(() => store.write(sharedTransactions.incrementCommon, common))).toBe(4);
  });

  it('runs a unit again when it met another one in a deadlock', async () => {
    const store = await openThings("set deadlock_timeout = '20ms'");
    await store.write(thingTransactions.putMany, { ids: ['left', 'right'] });
    const notes = await Promise.all([
      store.write(faultTransactions.changeBoth, { first: 'left', second: 'right', note: 'one' }),
      store.write(faultTransactions.changeBoth, { first: 'right', second: 'left', note: 'two' }),
    ]);
    expect(notes).toEqual(['one', 'two']);
    const rows = await Promise.all(['left', 'right'].map((id) => store.read(thingTransactions.find, id)));
    expect(rows[0]!['note']).toBe(rows[1]!['note']);
  });

  it('runs transactions again that would wait for each other in one commit', async () => {
    const store = await openThings("set deadlock_timeout = '20ms'");
    const done = await Promise.all([
      store.write(sharedTransactions.lockBoth, { id: 'one', first: 'a', second: 'b' }),
      store.write(sharedTransactions.lockBoth, { id: 'two', first: 'b', second: 'a' }),
      store.write(sharedTransactions.put, { id: 'three' }),
    ]);
    expect(done).toEqual(['one', 'two', 'three']);
  });

  it('lets no transaction of a commit wait long for a row that another one holds', async () => {
    const store = await openThings();
    await store.write(thingTransactions.putMany, { ids: ['held', 'held-too'] });
    const ended: string[] = [];
    const note = (name: string) => () => ended.push(name);
    const holding = store.write(faultTransactions.hold, { id: 'held', seconds: 1 }).then(note('holder'));
    await expect.poll(() => store.read(faultTransactions.isHeld, undefined)).toBe(true);
    const beside = ['x', 'y', 'z'].map((id) => store.write(sharedTransactions.put, { id }).then(note(id)));
    const waiting = store.write(sharedFaultTransactions.touch, { id: 'held' }).then(note('waiter'));
    await Promise.all([holding, waiting, ...beside]);
    expect(ended.slice(0, 3).toSorted()).toEqual(['x', 'y', 'z']);
    expect(ended.at(-1)).toBe('waiter');
  });

  it('gives each transaction of a commit its own error when the connection is lost, and writes none', async () => {
    const store = await openThings();
    const asked = [
      store.write(sharedTransactions.put, { id: 'first' }),
      store.write(sharedFaultTransactions.cutOwnConnection, { id: 'cut' }),
      store.write(sharedTransactions.put, { id: 'last' }),
    ];
    for (const outcome of await Promise.allSettled(asked))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    await expect
      .poll(() => store.write(thingTransactions.putIfNew, 'after').catch(() => 'not yet'))
      .toBe(true);
    expect(await store.read(thingTransactions.ids, '')).toEqual(['after']);
  });

  it('does not call a transaction done that the server has given up', async () => {
    await expect(store.write(faultTransactions.swallowError, 'swallowed')).rejects.toThrow(
      'nothing was written',
    );
    const beside = store.write(sharedTransactions.put, { id: 'beside-swallowed' });
    const shared = store.write(sharedFaultTransactions.swallowError, { id: 'swallowed' });
    await expect(shared).rejects.toThrow('nothing was written');
    expect(await beside).toBe('beside-swallowed');
    expect(await store.read(thingTransactions.find, 'swallowed')).toBeNull();
  });

  it('keeps what a unit leaks out of later transactions', async () => {
    const store = await openThings();
    await store.write(faultTransactions.leak, 'leaked');
    await store.write(thingTransactions.put, { id: 'later' });
    expect(await store.read(thingTransactions.ids, '')).toEqual(['later']);
  });

  it('gives counts and sums as numbers', async () => {
    await store.write(thingTransactions.put, { id: 'odd-1', amount: Number.MAX_SAFE_INTEGER - 1 });
    await store.write(thingTransactions.put, { id: 'odd-2', amount: 1 });
    expect(await store.read(faultTransactions.oddNumbers, undefined)).toEqual({
      counted: 2,
      summed: Number.MAX_SAFE_INTEGER,
    });
  });

  it('keeps values out of its errors', async () => {
    const failure = store.write(thingTransactions.put, { id: 'fraction', amount: 1_795_224.77 });
    await expect(failure).rejects.toThrow('PostgreSQL 22P02: a value does not fit');
  });

  it('goes on with new connections after the server cut the old ones', async () => {
    const store = await openThings();
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => store.write(thingTransactions.put, { id: `before-${i}` })),
    );
    await store.write(faultTransactions.cutConnections, undefined);
    await expect
      .poll(() => store.write(thingTransactions.putIfNew, 'after').catch(() => 'not yet'))
      .toBe(true);
  });

  it('outlives a connection that the server cut while a unit ran on it', async () => {
    const lost: Error[] = [];
    const store = await openThings(undefined, { onLost: (error) => lost.push(error) });
    const cut = store.write(faultTransactions.cutOwnConnection, undefined);
    await expect(cut).rejects.toMatchObject({ code: 'unavailable' });
    await expect
      .poll(() => store.write(thingTransactions.putIfNew, 'after').catch(() => 'not yet'))
      .toBe(true);
    expect(lost).toEqual([]);
  });

  it('is unavailable while the server is away, and works again when it is back', async () => {
    const store = await openThings();
    await postgres.server.stop();
    await expect(store.write(thingTransactions.put, { id: 'lost' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(store.read(thingTransactions.find, 'lost')).rejects.toMatchObject({ code: 'unavailable' });
    await postgres.server.start();
    await expect
      .poll(() => store.write(thingTransactions.putIfNew, 'back').catch(() => 'not yet'))
      .toBe(true);
  });

  it('is unavailable while the server takes no changes, and asks anew until one takes them', async () => {
    const databaseUrl = await postgres.server.createDatabase();
    const takes = (mode: 'on' | 'off') =>
      postgres.server.administer(
        `alter database ${databaseUrl.split('/').at(-1)} set default_transaction_read_only = ${mode}`,
      );
    const { log, lines } = createMemoryLog();
    const store = await openTestStore({
      threadTransactions: [...threadTransactions, PING_UNITS],
      databaseUrl,
      migrationsDir: THING_MIGRATIONS,
      log,
    });
    await takes('on');
    await store.read(faultTransactions.cutConnections, undefined).catch(() => {});
    const refused = { code: 'unavailable', retryAfterSeconds: 1 };
    for (let time = 0; time < 20; time += 1)
      await expect(store.write(thingTransactions.put, { id: 'refused' })).rejects.toMatchObject(refused);
    await expect(store.write(pingTransactions.takesChanges, {})).rejects.toMatchObject(refused);
    expect(await store.read(thingTransactions.find, 'refused')).toBeNull();
    expect(lines).toContainEqual(expect.objectContaining({ msg: 'database cannot be used' }));
    await takes('off');
    expect(await store.write(thingTransactions.putIfNew, 'taken')).toBe(true);
    await store.write(pingTransactions.takesChanges, {});
  });

  it('shows a unit that reads one state of everything, whatever is written meanwhile', async () => {
    const store = await openThings();
    await store.write(thingTransactions.put, { id: 'before' });
    // Both of its connections are there: when the second has answered, the first has counted once, unless the machine
    // has no time for it.
    const count = () => store.read(thingTransactions.count, '');
    await Promise.all([count(), count()]);
    const reading = store.read(faultTransactions.countTwice, undefined);
    await count();
    await store.write(thingTransactions.put, { id: 'meanwhile' });
    const { first, second } = await reading;
    expect(second).toBe(first);
    expect(await count()).toBe(2);
  });

  it.each(['synchronous_commit'])('refuses a server that runs with %s = off', async (setting) => {
    await expect(openThings(`set ${setting} = off`)).rejects.toThrow(`${setting} = off`);
  });

  it('lets several processes start at once: one migrates, all serve', async () => {
    const databaseUrl = await postgres.server.createDatabase();
    const stores = await Promise.all(
      [1, 2, 3].map(() =>
        openTestStore({ threadTransactions, databaseUrl, migrationsDir: THING_MIGRATIONS }),
      ),
    );
    await Promise.all(stores.map((store, i) => store.write(thingTransactions.put, { id: `from-${i}` })));
    expect(await stores[0]!.read(thingTransactions.count, 'from-')).toBe(3);
  });

  it('takes the whole schema of the service', async () => {
    const databaseUrl = await postgres.server.createDatabase();
    const { log, lines } = createMemoryLog();
    await openTestStore({ databaseUrl, migrationsDir: MIGRATIONS, log });
    await openTestStore({ databaseUrl, migrationsDir: MIGRATIONS, log });
    expect(lines).toMatchObject([{ migrated: expect.arrayContaining(['001-foundation']) }, { migrated: [] }]);
  });

  it('names the tool that backs it up', async () => {
    await expect(store.backup('/nowhere/backup.db')).rejects.toThrow('pg_dump');
  });

  it('says that it cannot reach a server, without the password', async () => {
    const unreachable = 'postgres://user:hunter2@127.0.0.1:1/none';
    const opening = openTestStore({
      threadTransactions,
      databaseUrl: unreachable,
      migrationsDir: THING_MIGRATIONS,
    });
    await expect(opening).rejects.toThrow(/^PostgreSQL at 127\.0\.0\.1:1\/.*: .*ECONNREFUSED/);
    await expect(opening).rejects.not.toThrow(/hunter2/);
  });
});

/** A store on a new database, after `alter database … <change>`. */
async function openThings(change?: string, parts: Partial<TestStoreOptions> = {}): Promise<Store> {
  const databaseUrl = await postgres.server.createDatabase();
  if (change) await postgres.server.administer(`alter database ${databaseUrl.split('/').at(-1)} ${change}`);
  return openTestStore({ threadTransactions, databaseUrl, migrationsDir: THING_MIGRATIONS, ...parts });
}
