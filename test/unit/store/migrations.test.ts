import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Store } from '#store/store.js';
import { pendingMigrations, readMigrations } from '#store/migrations.js';
import { sqlTransactions } from '#test/support/sql-transactions.js';
import { openTestStore } from '#test/support/store.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

describe('migrations', () => {
  it('are the numbered files of a folder, in order, with CRLF or LF line ends', () => {
    const folder = folderOf({
      '002-b.sql': 'create table b (x text);\n',
      '001-a.sql': 'one\ntwo\n',
      'notes.md': '',
    });
    const [first, second] = readMigrations(folder);
    expect([first!.name, second!.name]).toEqual(['001-a', '002-b']);
    writeFileSync(join(folder, '001-a.sql'), 'one\r\ntwo\r\n');
    expect(readMigrations(folder)[0]).toEqual(first);
    writeFileSync(join(folder, '001-a.sql'), 'one\nthree\n');
    expect(readMigrations(folder)[0]!.checksum).not.toBe(first!.checksum);
  });

  it.each([
    ['a gap', { '001-a.sql': '', '003-c.sql': '' }, '003-c.sql'],
    ['a number twice', { '001-a.sql': '', '001-b.sql': '' }, '001-b.sql'],
    ['a name without a number', { 'first.sql': '' }, 'first.sql'],
  ])('refuse %s', (_what, files, named) => {
    expect(() => readMigrations(folderOf(files))).toThrow(named);
  });

  it('that are pending come after those that were applied', () => {
    const known = readMigrations(folderOf({ '001-a.sql': 'a', '002-b.sql': 'b', '003-c.sql': 'c' }));
    expect(pendingMigrations(known.slice(0, 2), known)).toEqual([known[2]]);
    expect(pendingMigrations([], known)).toEqual(known);
    expect(pendingMigrations(known, known)).toEqual([]);
  });

  it('run at the next start when they are new', async () => {
    const { folder, open } = growing();
    await (await open()).close();
    writeFileSync(join(folder, '002-b.sql'), 'create table b (x text); insert into b (x) select x from a;');
    const store = await open();
    expect(await store.read(sqlTransactions.all, { sql: 'select * from b' })).toEqual([]);
  });

  it('stop the start when they were changed after they ran', async () => {
    const { folder, open } = growing();
    await (await open()).close();
    writeFileSync(join(folder, '001-a.sql'), 'create table a (x text, y text);');
    await expect(open()).rejects.toThrow('001-a was changed');
  });

  it('stop the start when one that ran is missing', async () => {
    const { folder, open } = growing();
    writeFileSync(join(folder, '002-b.sql'), 'create table b (x text);');
    await (await open()).close();
    rmSync(join(folder, '002-b.sql'));
    await expect(open()).rejects.toThrow('002-b');
  });

  it('are rolled back when they fail, and run once the file is corrected', async () => {
    const { folder, open } = growing();
    writeFileSync(join(folder, '002-b.sql'), 'create table b (x text); create table b (x text);');
    await expect(open()).rejects.toThrow('already exists');
    writeFileSync(join(folder, '002-b.sql'), 'create table b (x text);');
    await expect(open()).resolves.toBeDefined();
  });
});

function folderOf(files: Record<string, string>): string {
  const folder = temporaryFolder();
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** A database whose migrations a test can change between two starts. */
function growing(): { folder: string; open: () => Promise<Store> } {
  const folder = folderOf({ '001-a.sql': 'create table a (x text);' });
  const databaseUrl = `sqlite:${join(temporaryFolder(), 'store.db')}`;
  return { folder, open: () => openTestStore({ migrationsDir: folder, databaseUrl }) };
}
