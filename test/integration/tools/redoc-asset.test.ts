import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { startChild } from '#test/support/child.js';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

it('keeps the very files that Redoc published, with their licences', async () => {
  const { code, stderr } = await startChild('node', ['tools/redoc.mjs', '--check'], { cwd: ROOT }).ended;

  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
});
