import Database from 'better-sqlite3';
import { expect, it, onTestFinished } from 'vitest';
import { join } from 'node:path';
import { assertDurable, openForWriting } from '#store/sqlite/connection.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

it('refuses a connection that reports FULL before its first write but does not flush its commits', () => {
  const database = new Database(join(temporaryFolder(), 'careless.db'));
  onTestFinished(() => void database.close());
  database.pragma('journal_mode = WAL');
  expect(() => assertDurable(database)).toThrow('would not flush its commits to the disk (synchronous is 1)');
});

it('accepts a connection of the service and leaves user_version as it was', () => {
  const database = openForWriting(join(temporaryFolder(), 'ours.db'));
  onTestFinished(() => void database.close());
  database.pragma('user_version = 7');
  expect(() => assertDurable(database)).not.toThrow();
  expect(database.pragma('user_version', { simple: true })).toBe(7);
});
