import { readFileSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startChild } from '#test/support/child.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const HOLDER = 'test/support/lock-holder.mjs';

function startHolder(folder: string, holdMs: number) {
  return startChild('node', [HOLDER, folder, String(holdMs)], { cwd: ROOT });
}

it('lets one in at a time, whoever comes', async () => {
  const folder = temporaryFolder();

  const holders = [1, 2, 3, 4, 5, 6].map(() => startHolder(folder, 30));
  const codes = (await Promise.all(holders.map((holder) => holder.ended))).map(({ code }) => code);

  expect(codes).toEqual([0, 0, 0, 0, 0, 0]);
  expect(readFileSync(join(folder, 'journal'), 'utf8')).toBe('in\nout\n'.repeat(6));
  expect(readdirSync(join(folder, 'lock'))).toEqual(['6']);
});

it('takes over from a holder that was killed, one of those who wait', async () => {
  const folder = temporaryFolder();
  const victim = startHolder(folder, 60_000);
  await victim.prints(/holding/);
  const waiting = [1, 2, 3].map(() => startHolder(folder, 20));

  victim.process.kill('SIGKILL');
  await Promise.all(waiting.map((holder) => holder.ended));

  expect(readFileSync(join(folder, 'journal'), 'utf8')).toBe(`in\n${'in\nout\n'.repeat(3)}`);
});

it('takes over from a holder of another machine that has long been silent', async () => {
  const folder = temporaryFolder();
  const holder = startHolder(folder, 0);
  expect((await holder.ended).code).toBe(0);
  const foreign = join(folder, 'lock', '2');
  writeFileSync(foreign, JSON.stringify({ pid: 1, host: 'another-machine' }));
  utimesSync(foreign, new Date(0), new Date(0));

  expect((await startHolder(folder, 0).ended).code).toBe(0);
  expect(readdirSync(join(folder, 'lock'))).toEqual(['3']);
});
