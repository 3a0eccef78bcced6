import Database from 'better-sqlite3';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Store } from '#store/store.js';
import { defineTransactions } from '#store/transaction.js';
import { storeContract, THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { thingTransactions } from '#test/contracts/store-transactions.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { MIGRATIONS } from '#test/support/fresh-database.js';
import { openTestStore, type TestStoreOptions } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';
import { faultTransactions } from './fault-transactions.js';

const threadTransactions = [THING_UNITS, new URL('./fault-transactions.ts', import.meta.url)];

storeContract('SQLite', async () => `sqlite:${databasePath()}`);
storeContract('SQLite, in the thread of the test', async () => `sqlite:${databasePath()}`, 'near');

/** Declared in this file, which the threads do not load. */
const strayTransactions = defineTransactions('stray', { stray: async () => 1 });

describe('SQLite', () => {
  it('rejects a transaction whose module the threads have not loaded', async () => {
    const store = await openThings();
    await expect(store.write(strayTransactions.stray, undefined)).rejects.toThrow('transactionModules');
  });

  it('flushes every commit to the disk, also after many of them', async () => {
    const store = await openThings();
    for (let i = 0; i < 20; i += 1) await store.write(thingTransactions.put, { id: `flushed-${i}` });
    expect(await store.write(faultTransactions.pragma, 'synchronous')).toBe(2);
    expect(await store.write(faultTransactions.pragma, 'journal_mode')).toBe('wal');
    expect(await store.write(faultTransactions.pragma, 'foreign_keys')).toBe(1);
    expect(await store.read(faultTransactions.pragma, 'query_only')).toBe(1);
  });

  it('has incremental vacuum on, which must be set before the first table', async () => {
    const incremental = 2;
    expect(await (await openThings()).write(faultTransactions.pragma, 'auto_vacuum')).toBe(incremental);
  });

  it('overwrites deleted and replaced data in the file', async () => {
    const path = databasePath();
    const store = await openThings({ databaseUrl: `sqlite:${path}` });
    for (let i = 0; i < 200; i += 1) await store.write(thingTransactions.put, { id: `replaced-${i}` });
    for (let i = 0; i < 200; i += 1)
      await store.write(thingTransactions.setNote, {
        id: `replaced-${i}`,
        note: 'whispered '.repeat(i * 10),
      });
    for (let i = 0; i < 200; i += 1)
      await store.write(thingTransactions.setNote, { id: `replaced-${i}`, note: '' });
    await store.close();
    expect(readFileSync(path, 'latin1')).toContain('replaced-7');
    expect(readFileSync(path, 'latin1')).not.toContain('whispered');
  });

  it('runs concurrent requests in their order', async () => {
    const store = await openThings();
    await store.write(thingTransactions.put, { id: 'ordered' });
    const notes = Array.from({ length: 300 }, (_, i) => `${i}`);
    await Promise.all(notes.map((note) => store.write(thingTransactions.setNote, { id: 'ordered', note })));
    expect(await store.read(thingTransactions.find, 'ordered')).toMatchObject({ note: '299' });
  });

  it('runs no statement of a transaction that has ended', async () => {
    const store = await openThings();
    await store.write(faultTransactions.leak, 'leaked');
    await store.write(thingTransactions.put, { id: 'later' });
    expect(await store.read(thingTransactions.ids, '')).toEqual(['later']);
  });

  it('is lost when a thread ends: waiting and later transactions are refused', async () => {
    const { log, lines } = createMemoryLog();
    const lost: Error[] = [];
    const store = await openThings({ log, onLost: (error) => lost.push(error) });
    const asked = [
      store.write(faultTransactions.endThread, undefined),
      store.write(thingTransactions.put, { id: 'beside' }),
      store.write(thingTransactions.put, { id: 'beside-too' }),
    ];
    for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.write(thingTransactions.put, { id: 'after' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(store.read(thingTransactions.count, '')).rejects.toMatchObject({ code: 'unavailable' });
    expect(lost).toHaveLength(1);
    expect(lines.at(-1)).toMatchObject({ level: 'fatal', msg: 'database is lost' });
    await store.close();
  });

  it('rejects waiting transactions when its thread ends while it closes', async () => {
    const store = await openThings();
    const asked = [
      store.write(faultTransactions.endThread, undefined),
      store.write(thingTransactions.put, { id: 'beside' }),
    ].map((one) => expect(one).rejects.toMatchObject({ code: 'unavailable' }));
    await Promise.all([...asked, store.close()]);
  });

  it.each([
    ['a row', (store: Store) => store.write(faultTransactions.write, { id: 'large', sizeBytes: 100_000 })],
    [
      'many rows',
      (store: Store) => store.write(faultTransactions.writeMany, { count: 100, sizeBytes: 1_000 }),
    ],
  ])(
    'acknowledges nothing of a commit that does not fit on the disk, and takes nothing more: %s',
    async (_what, fill) => {
      const path = databasePath();
      const store = await openThings({ databaseUrl: `sqlite:${path}` });
      await store.write(thingTransactions.put, { id: 'kept' });
      const pages = (await store.write(faultTransactions.pragma, 'page_count')) as number;
      await store.write(faultTransactions.pragma, `max_page_count = ${pages + 4}`);
      const asked = [store.write(thingTransactions.put, { id: 'small' }), fill(store)];
      for (const one of asked) await expect(one).rejects.toMatchObject({ code: 'unavailable' });
      await expect(store.read(thingTransactions.count, '')).rejects.toMatchObject({ code: 'unavailable' });
      await store.close();

      const again = await openThings({ databaseUrl: `sqlite:${path}` });
      expect(await again.read(thingTransactions.ids, '')).toEqual(['kept']);
    },
  );

  it.each([
    ['removed', (path: string) => rmSync(path)],
    ['moved away', (path: string) => renameSync(path, `${path}.old`)],
    [
      'replaced',
      (path: string) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    ],
  ])('acknowledges nothing in a file that was %s, and is lost', async (_what, take) => {
    const path = databasePath();
    const lost: Error[] = [];
    const store = await openThings({ databaseUrl: `sqlite:${path}`, onLost: (error) => lost.push(error) });
    await store.write(thingTransactions.put, { id: 'before' });
    take(path);

    await expect(store.write(thingTransactions.put, { id: 'after' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    await expect(store.read(thingTransactions.count, '')).rejects.toMatchObject({ code: 'unavailable' });
    expect(lost.map(({ message }) => message)).toEqual([`${path} was removed or replaced while it was open`]);
    await store.close();
  });

  it('gives a reading transaction one snapshot, whatever is written meanwhile', async () => {
    const store = await openThings();
    const reading = store.read(faultTransactions.countTwice, undefined);
    await store.write(thingTransactions.put, { id: 'meanwhile' });
    const { first, second } = await reading;
    expect(second).toBe(first);
    expect(await store.read(thingTransactions.count, '')).toBe(1);
  });

  it('is lost when the file is corrupt', async () => {
    const path = databasePath();
    const before = await openThings({ databaseUrl: `sqlite:${path}` });
    await before.write(thingTransactions.putMany, {
      ids: Array.from({ length: 2_000 }, (_, i) => `thing-${i}`),
    });
    await before.close();
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0x55, bytes.length / 2));

    const lost: Error[] = [];
    const store = await openThings({ databaseUrl: `sqlite:${path}`, onLost: (error) => lost.push(error) });
    await expect(store.write(thingTransactions.ids, '')).rejects.toMatchObject({ code: 'unavailable' });
    await expect(store.write(thingTransactions.put, { id: 'after' })).rejects.toMatchObject({
      code: 'unavailable',
    });
    expect(lost).toHaveLength(1);
    await store.close();
  });

  it('is unavailable while another program holds the lock, and works again afterwards', async () => {
    const path = databasePath();
    const store = await openThings({ databaseUrl: `sqlite:${path}` });
    const shell = new Database(path);
    shell.exec('begin immediate');
    const asked = ['one', 'two'].map((id) => store.write(thingTransactions.put, { id }));
    for (const one of asked)
      await expect(one).rejects.toMatchObject({ code: 'unavailable', retryAfterSeconds: 1 });
    expect(await store.read(thingTransactions.count, '')).toBe(0);
    shell.exec('rollback');
    shell.close();
    expect(await store.write(thingTransactions.put, { id: 'three' })).toBe('three');
  });

  it('refuses a file that another process has open, and opens it once that process is gone', async () => {
    const path = databasePath();
    const holder = await holdOpen(path);
    await expect(openThings({ databaseUrl: `sqlite:${path}` })).rejects.toThrow(
      'already open by another process',
    );
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    await openThings({ databaseUrl: `sqlite:${path}` });
  });

  it('names a file that is not a database, and leaves it unchanged', async () => {
    const path = databasePath();
    const text = 'root:x:0:0:root:/root:/bin/bash\n'.repeat(100);
    writeFileSync(path, text);
    await expect(openThings({ databaseUrl: `sqlite:${path}` })).rejects.toThrow(
      `${path}: file is not a database`,
    );
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  it('refuses a file that is open under another name', async () => {
    const path = databasePath();
    await openThings({ databaseUrl: `sqlite:${path}` });
    const link = databasePath();
    symlinkSync(path, link);
    await expect(openThings({ databaseUrl: `sqlite:${link}` })).rejects.toThrow(
      'already open by another process',
    );
  });

  it('refuses a file that this process has open', async () => {
    const path = databasePath();
    const store = await openThings({ databaseUrl: `sqlite:${path}` });
    await expect(openThings({ databaseUrl: `sqlite:${path}` })).rejects.toThrow(
      'already open by another process',
    );
    await store.close();
    await openThings({ databaseUrl: `sqlite:${path}` });
  });

  it('leaves only the database file behind when it closes', async () => {
    const path = databasePath();
    const store = await openThings({ databaseUrl: `sqlite:${path}` });
    await store.write(thingTransactions.put, { id: 'kept' });
    expect(existsSync(`${path}-wal`)).toBe(true);
    await store.close();
    expect([existsSync(path), existsSync(`${path}-wal`)]).toEqual([true, false]);
  });

  it('creates the folder of its file, and applies the migrations of the service', async () => {
    const { log, lines } = createMemoryLog();
    const options = { databaseUrl: `sqlite:${join(temporaryFolder(), 'new/folder/store.db')}`, log };
    const first = await openTestStore({ migrationsDir: MIGRATIONS, ...options });
    await first.close();
    await openTestStore({ migrationsDir: MIGRATIONS, ...options });
    expect(lines).toMatchObject([{ migrated: expect.arrayContaining(['001-foundation']) }, { migrated: [] }]);
  });

  it.each(['mysql://localhost/x', 'store.db', 'sqlite:', 'sqlite::memory:', ''])(
    'refuses the database URL "%s"',
    async (databaseUrl) => {
      await expect(openThings({ databaseUrl })).rejects.toThrow('the database URL must be');
    },
  );
});

function databasePath(): string {
  return join(temporaryFolder(), 'store.db');
}

/** A store on SQLite, even with `TEST_ENGINE=postgres`. */
function openThings(options: Partial<TestStoreOptions> = {}): Promise<Store> {
  const databaseUrl = `sqlite:${databasePath()}`;
  return openTestStore({ threadTransactions, migrationsDir: THING_MIGRATIONS, databaseUrl, ...options });
}

/** Starts another process that locks the file as the service does. */
async function holdOpen(path: string) {
  const lockModule = new URL('../../../dist/store/sqlite/file-lock.js', import.meta.url).href;
  const program = `
    const { lockDatabaseFile } = await import(${JSON.stringify(lockModule)});
    globalThis.kept = lockDatabaseFile(${JSON.stringify(path)});
    process.stdout.write('locked');
    process.stdin.resume();
  `;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: fileURLToPath(new URL('.', import.meta.url)),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const failed = once(holder, 'exit').then(() => Promise.reject(new Error('the other process ended early')));
  await Promise.race([once(holder.stdout, 'data'), failed]);
  return holder;
}
