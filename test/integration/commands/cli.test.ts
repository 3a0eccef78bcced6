import { existsSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeEach, describe, expect, it } from 'vitest';
import { startChild } from '../../support/child.js';

const CLI = fileURLToPath(new URL('../../../dist/cli.js', import.meta.url));
const VERSION = (
  JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')) as { version: string }
).version;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cli-'));
});

function callwright(words: string, environment: Readonly<Record<string, string>> = {}) {
  return startChild('node', [CLI, ...words.split(' ').filter((word) => word !== '')], {
    cwd: folder,
    environment: { DATA_DIR: join(folder, 'data'), ...environment },
  }).ended;
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
    ['backup', 'usage: callwright backup <file>'],
    ['keys revoke', 'usage: callwright keys revoke <key id>'],
    ['migrate --loudly', 'usage: callwright migrate'],
    ['keys create --scopes root', '--scopes: must be of read, write, admin'],
    ['keys create --days soon', '--days: must be a whole number'],
  ])('explains what is wrong with "%s"', async (words, explanation) => {
    const { code, stdout, stderr } = await callwright(words);

    expect(code).toBe(2);
    expect(stdout).toBe('');
    expect(stderr).toContain(explanation);
    expect(stderr).not.toMatch(/^\s+at /m);
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

    expect((await callwright(`backup ${backup}`)).code).toBe(0);
    expect(existsSync(backup)).toBe(true);
    const lost = await callwright('keys create --name Lost');
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

  it('backs up nothing where nothing is', async () => {
    const { code, stderr } = await callwright('backup copy.db');

    expect(code).toBe(1);
    expect(stderr).toContain('there is no database at');
  });
});

describe('doctor', () => {
  it('finds everything in order, the built-in voice and ear included', async () => {
    const { code, stdout } = await callwright('doctor', { PORT: '0' });

    expect(stdout.match(/^ok /gm)).toHaveLength(5);
    expect(code).toBe(0);
  });

  it('says what is wrong, and goes on', async () => {
    const { code, stdout } = await callwright('doctor', { PORT: '0', DATA_DIR: '/dev/null/nowhere' });

    expect(stdout).toMatch(/^WRONG {2}data folder:/m);
    expect(stdout).toMatch(/^ok {5}speech:/m);
    expect(code).toBe(1);
  });
});
