import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { consolePageRoutes } from '#http/routes/console-pages.js';
import { startTestServer, type TestServer } from '#test/support/server.js';
import { temporaryFolder } from '#test/support/temporary-folder.js';

let service: TestServer;
let folder: string;

beforeAll(async () => {
  folder = join(temporaryFolder(), 'console');
  service = await startTestServer({
    routes: (server) => void server.register(consolePageRoutes, { folder: pathToFileURL(`${folder}/`) }),
  });
  const before = await get('/console');
  expect([before.statusCode, before.body]).toEqual([503, expect.stringContaining('npm run build')]);
  await mkdir(join(folder, 'assets'), { recursive: true });
  await writeFile(join(folder, 'index.html'), '<!doctype html><title>Callwright</title>');
  await writeFile(join(folder, 'assets', 'main-B3xk29Qa.js'), 'export {};');
  await writeFile(join(folder, '.secret'), 'no');
});
afterAll(() => service.close());

const get = (url: string) => service.server.inject({ method: 'GET', url });

it.each(['/console', '/console/', '/console/calls', '/console/calls/call_1/turns', '/console/session-less'])(
  'answers %s with the page, which may load nothing from elsewhere',
  async (url) => {
    const { statusCode, headers, body } = await get(url);
    expect([statusCode, body]).toEqual([200, expect.stringContaining('<title>Callwright')]);
    expect(headers['cache-control']).toBe('no-cache');
    expect(headers['content-security-policy']).toContain("script-src 'self';");
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(headers['content-security-policy']).not.toContain('unsafe');
    expect(headers).toMatchObject({ 'x-frame-options': 'DENY', 'referrer-policy': 'no-referrer' });
  },
);

it('keeps files whose names have the hash of their content', async () => {
  const { statusCode, headers } = await get('/console/assets/main-B3xk29Qa.js');
  expect([statusCode, headers['cache-control']]).toEqual([200, 'public, max-age=31536000, immutable']);
  expect(headers['content-type']).toContain('javascript');
});

it.each([
  '/console/assets/none.js',
  '/console/../package.json',
  '/console/%2e%2e/package.json',
  '/console/.secret',
])('gives nothing else away: %s', async (url) => {
  const { statusCode, body } = await get(url);
  expect(statusCode === 404 || body.includes('<title>Callwright')).toBe(true);
  expect(body).not.toContain('dependencies');
});
