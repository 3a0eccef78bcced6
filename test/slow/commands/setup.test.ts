import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { drawn } from '#test/support/tier.js';
import { startChild } from '#test/support/child.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const FAKE_NPM = join(ROOT, 'test/support/fake-npm.mjs');
const CLONED = ['package.json', 'package-lock.json', 'tools', 'src', 'console'];

type Step = 'run' | 'develop' | 'by hand' | 'new lock file' | 'other Node';

let clone: string;

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'setup-'));
  for (const path of CLONED) cpSync(join(ROOT, path), join(clone, path), { recursive: true });
  // The set-up takes the npm that started it if that is a `.js` file.
  cpSync(FAKE_NPM, join(clone, 'npm.js'));
});

beforeEach(() => {
  for (const path of ['node_modules', 'npm-calls'])
    rmSync(join(clone, path), { recursive: true, force: true });
  cpSync(join(ROOT, 'package-lock.json'), join(clone, 'package-lock.json'));
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

async function node(...args: string[]): Promise<void> {
  const environment = { npm_execpath: join(clone, 'npm.js') };
  const { code, stderr } = await startChild('node', args, { cwd: clone, environment }).ended;
  expect({ code, stderr: stderr.replace(/^Installing packages.*\n/gm, '') }).toEqual({ code: 0, stderr: '' });
}

const STEPS: Readonly<Record<Step, () => Promise<void> | void>> = {
  run: () => node('--input-type=module', '-e', "await (await import('./tools/setup.mjs')).setUpToRun()"),
  develop: () => node('tools/setup.mjs'),
  'by hand': () => node('npm.js', 'ci'),
  'new lock file': () => appendFileSync(join(clone, 'package-lock.json'), '\n'),
  'other Node': () => {
    const stamp = join(clone, 'node_modules/.setup-stamp');
    writeFileSync(stamp, readFileSync(stamp, 'utf8').replace(/^\d+/, '1'));
  },
};

const INSTALLATIONS: readonly { steps: Step[]; npm: string[] }[] = [
  { steps: ['run', 'run'], npm: ['ci --omit=dev'] },
  { steps: ['develop', 'develop'], npm: ['ci --include=dev'] },
  { steps: ['develop', 'run', 'develop'], npm: ['ci --include=dev'] },
  { steps: ['run', 'develop', 'run'], npm: ['ci --omit=dev', 'install --no-save --include=dev'] },
  { steps: ['by hand', 'run', 'develop'], npm: ['ci'] },
  { steps: ['run', 'other Node', 'run'], npm: ['ci --omit=dev', 'ci --omit=dev'] },
  { steps: ['develop', 'other Node', 'run'], npm: ['ci --include=dev', 'ci --include=dev'] },
  { steps: ['run', 'other Node', 'develop'], npm: ['ci --omit=dev', 'ci --include=dev'] },
  // Nothing that the lock file names has changed.
  { steps: ['develop', 'new lock file', 'run', 'develop'], npm: ['ci --include=dev'] },
];

it.each(drawn(3, INSTALLATIONS))('installs what a command needs, once: $steps', async ({ steps, npm }) => {
  for (const step of steps) await STEPS[step]();

  expect(existsSync(join(clone, 'dist/main.js'))).toBe(true);
  expect(readFileSync(join(clone, 'npm-calls'), 'utf8').trim().split('\n')).toEqual(npm);
});

it('keeps the packages of the tests when a start installs another version of one', async () => {
  await STEPS.develop();
  const lockFile = join(clone, 'package-lock.json');
  const lock = JSON.parse(readFileSync(lockFile, 'utf8'));
  lock.packages['node_modules/fastify'].version = '99.0.0';
  writeFileSync(lockFile, JSON.stringify(lock));

  await STEPS.run();

  expect(readFileSync(join(clone, 'npm-calls'), 'utf8')).toBe('ci --include=dev\nci --include=dev\n');
});
