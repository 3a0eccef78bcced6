import Database from 'better-sqlite3';
import { copyFileSync, existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { restoreBackup } from '#store/restore-backup.js';
import type { Store } from '#store/store.js';
import { THING_MIGRATIONS, THING_UNITS } from '#test/contracts/store.js';
import { thingTransactions } from '#test/contracts/store-transactions.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const migrationsDir = fileURLToPath(THING_MIGRATIONS);

/** Restores a backup unchanged. */
function restore(backupPath: string, path: string, force = true): Promise<void> {
  return restoreBackup(backupPath, path, { force, migrationsDir }, async () => {});
}

describe('backup of SQLite', () => {
  it('is a consistent copy, taken during writes and reads', async () => {
    const { store, folder } = await openThings();
    await store.write(thingTransactions.putMany, {
      ids: Array.from({ length: 5_000 }, (_, i) => `old-${i}`),
    });
    let isCopying = true;
    let pairs = 0;
    const writing = (async () => {
      for (; isCopying; pairs += 1)
        await store.write(thingTransactions.putMany, { ids: [`left-${pairs}`, `right-${pairs}`] });
    })();
    const backupPath = join(folder, 'backup.db');
    await store.backup(backupPath).finally(() => (isCopying = false));
    await writing;

    expect(pairs).toBeGreaterThan(0);
    const copy = new Database(backupPath, { readonly: true });
    const count = (prefix: string) =>
      copy
        .prepare<[string], { n: number }>("select count(*) as n from things where id like ? || '%'")
        .get(prefix)!.n;
    expect(copy.pragma('integrity_check', { simple: true })).toBe('ok');
    expect(count('old-')).toBe(5_000);
    expect(count('left-')).toBe(count('right-'));
    copy.close();
    expect(existsSync(`${backupPath}.unfinished`)).toBe(false);
  });

  it('is readable by the user of the process alone, as the database is', async () => {
    const { store, folder } = await openThings();
    await store.write(thingTransactions.putMany, { ids: ['one'] });
    await store.backup(join(folder, 'backup.db'));
    const files = readdirSync(folder).filter((name) => /\.db(?:-wal|-shm)?$/.test(name));
    expect(files.length).toBeGreaterThanOrEqual(3);
    for (const name of files)
      expect([name, statSync(join(folder, name)).mode & 0o777]).toEqual([name, 0o600]);
  });

  it('never overwrites a file', async () => {
    const { store, folder } = await openThings();
    const path = join(folder, 'precious.txt');
    writeFileSync(path, 'precious');
    await expect(store.backup(path)).rejects.toThrow('never overwrites');
    expect(readFileSync(path, 'utf8')).toBe('precious');
  });

  it('leaves no file behind when it cannot write', async () => {
    const { store, folder } = await openThings();
    await expect(store.backup(join(folder, 'missing/backup.db'))).rejects.toThrow(/unable to open|no such/);
    await store.write(thingTransactions.put, { id: 'still-serving' });
  });
});

describe('restore of SQLite', () => {
  it('restores the rows of the backup', async () => {
    const { store, folder, path, backupPath } = await backedUp();
    await store.close();
    const newPath = join(folder, 'elsewhere/store.db');
    await restore(backupPath, newPath, false);
    expect(await idsIn(newPath)).toEqual(['in-backup']);
    expect(await idsIn(path)).toEqual(['in-backup', 'later']);
  });

  it('replaces a database only with force, and keeps nothing of the old one', async () => {
    const { store, path, backupPath } = await backedUp();
    await store.close();
    await expect(restore(backupPath, path, false)).rejects.toThrow('exists already');
    await restore(backupPath, path);
    expect(await idsIn(path)).toEqual(['in-backup']);
  });

  it('does not replay the write-ahead log of the old database into the new one', async () => {
    const { store, path, backupPath } = await backedUp();
    // A crash leaves the database with a full write-ahead log.
    const crashed = { database: readFileSync(path), log: readFileSync(`${path}-wal`) };
    await store.close();
    writeFileSync(path, crashed.database);
    writeFileSync(`${path}-wal`, crashed.log);
    await restore(backupPath, path);
    expect(await idsIn(path)).toEqual(['in-backup']);
  });

  it('replaces a corrupt database', async () => {
    const { store, path, backupPath } = await backedUp();
    await store.close();
    writeFileSync(path, 'no database at all, '.repeat(1_000));
    await restore(backupPath, path);
    expect(await idsIn(path)).toEqual(['in-backup']);
  });

  it('refuses while a process has the database open', async () => {
    const { store, path, backupPath } = await backedUp();
    await expect(restore(backupPath, path)).rejects.toThrow('already open by another process');
    expect(await store.read(thingTransactions.ids, '')).toEqual(['in-backup', 'later']);
  });

  it('refuses a backup of a newer release', async () => {
    const { store, path, backupPath } = await backedUp();
    await store.close();
    new Database(backupPath).exec("insert into schema_migrations values ('099-later', 'x', 0)").close();
    await expect(restore(backupPath, path)).rejects.toThrow(
      /cannot be restored: the database has applied the migration 099-later/,
    );
    expect(await idsIn(path)).toEqual(['in-backup', 'later']);
  });

  it('refuses a file that is no backup of this service', async () => {
    const { store, folder, path, backupPath } = await backedUp();
    await store.close();
    const damagedPath = join(folder, 'damaged.db');
    const bytes = readFileSync(backupPath);
    writeFileSync(damagedPath, bytes.fill(0x55, 4_096, 12_288));
    const foreignPath = join(folder, 'foreign.db');
    new Database(foreignPath).exec('create table t (x integer)').close();

    await expect(restore(damagedPath, path)).rejects.toThrow('no intact SQLite database');
    await expect(restore(foreignPath, path)).rejects.toThrow('no schema_migrations table');
    await expect(restore(join(folder, 'absent.db'), path)).rejects.toThrow('does not exist');
    expect(await idsIn(path)).toEqual(['in-backup', 'later']);
  });

  it('leaves the database unchanged until the prepared copy replaces it', async () => {
    const { store, folder, path, backupPath } = await backedUp();
    await store.close();
    const seen = await restoreBackup(backupPath, path, { force: true, migrationsDir }, async (copyPath) => {
      new Database(copyPath).exec("insert into things (id) values ('prepared')").close();
      const untouched = new Database(path, { readonly: true });
      const ids = untouched.prepare('select id from things order by id').pluck().all();
      untouched.close();
      return ids;
    });
    expect(seen).toEqual(['in-backup', 'later']);
    expect(await idsIn(path)).toEqual(['in-backup', 'prepared']);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('keeps only the old database when the preparation fails', async () => {
    const { store, folder, path, backupPath } = await backedUp();
    await store.close();
    const failing = () => Promise.reject(new Error('no room to prepare it'));
    await expect(restoreBackup(backupPath, path, { force: true, migrationsDir }, failing)).rejects.toThrow(
      'no room to prepare it',
    );
    expect(await idsIn(path)).toEqual(['in-backup', 'later']);
    expect(readdirSync(folder).filter((name) => name.includes('restoring'))).toEqual([]);
  });

  it('does not replay the log of an interrupted restore into the next', async () => {
    const { store, path, backupPath } = await backedUp();
    // A process that died during preparation leaves the copy and its log.
    const copyPath = `${path}.restoring`;
    copyFileSync(backupPath, copyPath);
    const dying = new Database(copyPath);
    dying.pragma('journal_mode = WAL');
    dying.exec("insert into things (id) values ('of the restore that died')");
    const left = { copy: readFileSync(copyPath), log: readFileSync(`${copyPath}-wal`) };
    dying.close();
    writeFileSync(copyPath, left.copy);
    writeFileSync(`${copyPath}-wal`, left.log);
    await store.close();
    await restoreBackup(backupPath, path, { force: true, migrationsDir }, async (opened) => {
      const database = new Database(opened);
      database.pragma('journal_mode = WAL');
      database.exec("update things set note = 'prepared'").close();
    });
    expect(await idsIn(path)).toEqual(['in-backup']);
  });
});

async function openThings(path?: string): Promise<{ store: Store; folder: string; path: string }> {
  const folder = temporaryFolder();
  const databasePath = path ?? join(folder, 'store.db');
  const store = await openTestStore({
    threadTransactions: [THING_UNITS],
    migrationsDir: THING_MIGRATIONS,
    databaseUrl: `sqlite:${databasePath}`,
  });
  return { store, folder, path: databasePath };
}

/** A store with one row that is in the backup and one that is not. */
async function backedUp() {
  const opened = await openThings();
  await opened.store.write(thingTransactions.put, { id: 'in-backup' });
  const backupPath = join(opened.folder, 'backup.db');
  await opened.store.backup(backupPath);
  await opened.store.write(thingTransactions.put, { id: 'later' });
  return { ...opened, backupPath };
}

async function idsIn(path: string): Promise<string[]> {
  const { store } = await openThings(path);
  const ids = await store.read(thingTransactions.ids, '');
  await store.close();
  return ids;
}
