import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startChild, type Child } from '#test/support/child.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const CLONED = [
  'package.json',
  'package-lock.json',
  'tools',
  'src',
  'console',
  'migrations',
  'models',
  'assets',
];
const BANNER = 'src/cli/banner.ts';

let clone: string;
let developing: Child;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'dev-'));
  for (const path of CLONED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  developing = startChild('npm', ['run', 'dev'], {
    cwd: clone,
    environment: { PORT: '0', DATA_DIR: join(clone, 'data'), LOG_LEVEL: 'WARNING' },
  });
});

afterAll(() => {
  developing.process.kill('SIGKILL');
  rmSync(clone, { recursive: true, force: true });
});

function save(path: string, change: (text: string) => string): void {
  const file = join(clone, path);
  writeFileSync(file, change(readFileSync(file, 'utf8')));
}

/** Waits for a line of the terminal: the service prints to standard output, the loop to standard error. */
async function says(pattern: RegExp): Promise<void> {
  await expect.poll(() => developing.stderr).toMatch(pattern);
}

it('serves what was saved, keeps its port free for it, and demonstrates once', async () => {
  const [, firstUrl] = await developing.prints(/is listening on (http:\/\/localhost:\d+)/);
  await developing.prints(/A call to \+\d+ on the sandbox network/);

  save(BANNER, (text) => text.replace('is listening on', 'hears you on'));

  const [, secondUrl] = await developing.prints(/hears you on (http:\/\/localhost:\d+)/);
  expect((await fetch(`${secondUrl}/health`)).status).toBe(200);
  await expect(fetch(`${firstUrl}/health`)).rejects.toThrow('fetch failed');
  expect(developing.stdout.match(/A call to \+\d+ on the sandbox network/g)).toHaveLength(1);
});

it('explains what does not compile, keeps the service up, and goes on once it does', async () => {
  const [, url] = await developing.prints(/hears you on (http:\/\/localhost:\d+)/);

  save(BANNER, (text) => `${text}\nconst = 1;\n`);

  await says(/Expected identifier[\s\S]*cannot be compiled; waiting for a change/);
  expect((await fetch(`${url}/health`)).status).toBe(200);
  save(BANNER, (text) => text.replace('\nconst = 1;\n', '').replace('hears you on', 'is back on'));
  await developing.prints(/is back on (http:\/\/localhost:\d+)/);
});

it('ends with its service on Ctrl-C and leaves no build behind', async () => {
  const [, url] = await developing.prints(/is back on (http:\/\/localhost:\d+)/);

  developing.process.kill('SIGINT');

  expect((await developing.ended).code).toBe(0);
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  expect(existsSync(join(clone, 'dist.dev'))).toBe(false);
});
