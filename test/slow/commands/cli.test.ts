import Database from 'better-sqlite3';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { openCommandLine } from '#test/integration/cli/command-line.js';
import { writeFreshDatabase } from '#test/support/fresh-database.js';

const VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

type CommandLine = ReturnType<typeof openCommandLine>;
let folder: string;
let callwright: CommandLine['callwright'];
let inProcess: CommandLine['inProcess'];
let inShell: CommandLine['inShell'];

beforeEach(() => {
  ({ folder, callwright, inProcess, inShell } = openCommandLine());
});

/** A SQLite file with foreign tables. */
function foreignDatabase(): string {
  const path = join(folder, 'foreign.db');
  new Database(path).exec('create table invoices (id integer)').close();
  return path;
}

describe('the command line', () => {
  it('says what it can do', async () => {
    const { code, stdout } = await callwright('--help');

    expect(code).toBe(0);
    for (const name of [
      'serve',
      'demo',
      'keys create',
      'migrate',
      'backup',
      'restore',
      'hold',
      'doctor',
      'version',
    ]) {
      expect(stdout).toMatch(new RegExp(`^ {2}${name}\\b`, 'm'));
    }
    expect((await callwright('version')).stdout).toBe(`${VERSION}\n`);
  });

  it.each([
    ['dance', 'there is no command "dance"'],
    ['keys', '"keys" needs one more word: keys create, keys list, keys revoke'],
    ['', 'a command is missing'],
    ['backup', '<file> is missing: callwright backup <file>\nSee callwright backup --help.'],
    ['backup a b', '"b" is one word too many: callwright backup <file>'],
    ['serve now', '"now" is one word too many: callwright serve'],
    ['keys revoke', '<key id> is missing: callwright keys revoke <key id>'],
    ['migrate --loudly', 'there is no option --loudly'],
    ['migrate --constructor', 'there is no option --constructor'],
    ['restore --force=yes a', '--force takes no value'],
    ['keys create --days', '--days needs a value'],
    ['keys create --name --days 3', '--name needs a value'],
    ['keys create --name a --name b', '--name is given twice'],
    ['keys create --name \u001b[31m', '--name: must be 1 to 200 characters'],
    ['keys list --workspace a/b', '--workspace: must be 1 to 64 letters'],
    ['keys create --scopes root', '--scopes: must be of read, write, admin'],
    ['keys create --days soon', '--days: must be a whole number'],
  ])('explains what is wrong with "%s"', async (words, explanation) => {
    const { code, stdout, stderr } = await callwright(words);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(explanation);
    expect(stderr).not.toMatch(/^\s+at /m);
    // Reported before anything is opened.
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each([
    ['keys create --help', /--scopes <text> {5}Of read/],
    ['help keys create', /--scopes <text> {5}Of read/],
    ['keys create -h', /--scopes <text> {5}Of read/],
    ['keys --help', /keys create\n[^]*keys list\n[^]*keys revoke <key id>\n/],
    ['serve --help', /^callwright serve\n\nRuns the service\.\n$/],
    ['-h', /^callwright <command>\n/],
    ['-v', /^\d+\.\d+\.\d+\n$/],
  ])('helps with "%s"', async (words, answer) => {
    const { code, stdout, stderr } = await callwright(words);

    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(answer);
  });

  it('ends in silence when nobody reads on, and says when its output cannot be written', async () => {
    const unread = await inShell('callwright keys list --help | true; exit ${PIPESTATUS[0]}');
    expect([unread.code, unread.stderr]).toEqual([141, '']);
    const unwritten = await inShell('callwright version > /dev/full');
    expect(unwritten.code).toBe(1);
    expect(unwritten.stderr).toMatch(/^callwright: the output cannot be written: .*\n$/);
  });

  it('names wrong settings, wherever they come from', async () => {
    const { code, stderr } = await callwright('migrate', { PORT: 'eight' });

    expect(code).toBe(1);
    expect(stderr).toContain('PORT: must be a whole number');
  });
});

describe('keys, backup and restore', () => {
  it('a key lives through a backup, and one made later does not live through the restore', async () => {
    const backup = join(folder, 'backup.db');
    const kept = await callwright('keys create --name Kept --scopes read,write --days 3');
    const [keptId] = kept.stdout.split('  ');
    expect(kept.stdout).toMatch(/^key_[0-9a-z]{26} {2}cw_live_\S{38}\n$/);
    const path = join(folder, 'data', 'callwright.db');
    expect(kept.stderr).toBe(`callwright: there was no database yet at ${path}: a new one is made\n`);

    expect((await callwright(`backup ${backup}`)).code).toBe(0);
    expect(existsSync(backup)).toBe(true);
    const lost = await callwright('keys create --name Lost');
    expect(lost.stderr).toBe('');
    expect((await callwright('keys list')).stdout.split('\n')).toHaveLength(3);

    expect((await callwright(`restore ${backup}`)).stderr).toContain('exists already');
    expect((await callwright(`restore ${backup} --force`)).code).toBe(0);
    const { stdout } = await callwright('keys list');
    expect(stdout).toContain(keptId);
    expect(stdout).toContain('read,write');
    expect(stdout).not.toContain(lost.stdout.split('  ')[0]);

    expect((await callwright(`keys revoke ${keptId}`)).stdout).toBe(`${keptId} is revoked.\n`);
    expect((await callwright('keys list')).stdout).toBe('');
    expect((await callwright(`keys revoke ${keptId}x`)).code).toBe(1);
  });

  it.each(['keys list', 'keys revoke key_1'])('%s makes no database where there is none', async (words) => {
    const { code, stderr } = await callwright(words);

    expect(code).toBe(1);
    expect(stderr).toContain(`there is no database yet at ${join(folder, 'data', 'callwright.db')}`);
    expect(readdirSync(folder)).toEqual([]);
  });

  it.each(['keys list', 'keys create', 'keys revoke key_1'])(
    '%s leaves the database to an older release that may still use it',
    async (words) => {
      const path = join(folder, 'data', 'callwright.db');
      mkdirSync(join(folder, 'data'));
      await writeFreshDatabase(path);
      const older = new Database(path);
      older.exec('delete from schema_migrations where name = (select max(name) from schema_migrations)');
      older.close();
      const before = readFileSync(path);
      const { code, stderr } = await callwright(words);

      expect(code).toBe(1);
      expect(stderr).toMatch(/one migration waits \(\d{3}-.+\).*callwright migrate/);
      expect(readFileSync(path)).toEqual(before);
    },
  );

  it('copies the database as it is: what an older release left is not brought up to date before', async () => {
    const path = foreignDatabase();
    const { code } = await callwright('backup copy.db', { DATABASE_URL: `sqlite:${path}` });
    expect(code).toBe(0);
    const tables = new Database(join(folder, 'copy.db')).prepare('select name from sqlite_master').all();
    expect(tables).toEqual([{ name: 'invoices' }]);
  });

  it('leaves the database of another program as it is', async () => {
    const path = foreignDatabase();
    const before = readFileSync(path);
    const { code, stderr } = await callwright('migrate', { DATABASE_URL: `sqlite:${path}` });
    expect(code).toBe(1);
    expect(stderr).toBe(
      `callwright: ${path}: it is the database of another program: it has a table invoices, and none of ours\n`,
    );
    expect(readFileSync(path)).toEqual(before);
  });

  it('says what stands in the way of a database', async () => {
    writeFileSync(join(folder, 'file'), '');
    const sentenceOf = async (words: string, environment: Record<string, string>) => {
      const { code, stderr } = await callwright(words, environment);
      expect(code).toBe(1);
      return stderr;
    };
    const file = join(folder, 'file');
    expect(await sentenceOf('migrate', { DATA_DIR: file })).toBe(
      `callwright: ${file}/callwright.db: ${file}: a file stands where a folder should be\n`,
    );
    expect((await inProcess('serve', { DATA_DIR: file })).stderr).toBe(
      `Callwright cannot start: ${file}/recordings: a file stands where a folder should be\n`,
    );
    expect(await sentenceOf('migrate', { DATABASE_URL: `sqlite:${folder}` })).toBe(
      `callwright: ${folder}: it is a folder\n`,
    );
    expect(await sentenceOf('backup /nowhere/copy.db', { DATABASE_URL: `sqlite:${file}` })).toBe(
      'callwright: /nowhere: there is no such file or folder\n',
    );
  });

  // Node's recursive mkdir loops forever there.
  it.skipIf(!existsSync('/proc/self'))('says where no folder can be made', async () => {
    const nowhere = { DATA_DIR: '/proc/nowhere' };
    for (const ended of [
      inProcess('serve', nowhere),
      callwright('webhook listen --port 0', nowhere),
      callwright('migrate', nowhere),
    ]) {
      const { code, stderr } = await ended;
      expect(code).toBe(1);
      expect(stderr).toMatch(/: \/proc\/nowhere.*: there is no such file or folder\n$/);
    }
  });

  it('backs up nothing where nothing is', async () => {
    const { code, stderr } = await callwright('backup copy.db');

    expect(code).toBe(1);
    expect(stderr).toContain('there is no database at');
  });
});
