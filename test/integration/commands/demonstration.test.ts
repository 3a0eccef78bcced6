import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startChild } from '../../support/child.js';

const MAIN = fileURLToPath(new URL('../../../dist/main.js', import.meta.url));
/** Shorter than the demonstration's call would go on by itself. */
const PROMPT_MS = 8_000;

it('the demonstration shows its call, and whoever stops it does not wait for the call', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'demonstration-'));
  const service = startChild(process.execPath, [MAIN], {
    cwd: folder,
    environment: { DATA_DIR: folder, PORT: '0', DEMO: 'on' },
  });
  await service.prints(/answered/);
  const stoppedAt = performance.now();

  service.process.kill('SIGINT');

  expect((await service.ended).code).toBe(0);
  expect(performance.now() - stoppedAt).toBeLessThan(PROMPT_MS);
  expect(service.stdout).toMatch(/0:00:00 {2}answered/);
  expect(service.stderr).toMatch(/stopping: live calls may go on.*"stopped"/s);
}, 30_000);
