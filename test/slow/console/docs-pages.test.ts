import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '#test/support/patience.js';
import { startTestServer, type TestServer } from '#test/support/server.js';
import { rows } from '#test/support/tier.js';

const CHROMIUM = '/usr/bin/chromium';

/** Where no browser is installed these tests are reported as skipped. */
describe.skipIf(!existsSync(CHROMIUM))('the documentation pages in a browser', () => {
  let service: TestServer;
  let browser: Browser;
  let origin: string;

  beforeAll(async () => {
    service = await startTestServer();
    origin = await service.server.listen({ host: '127.0.0.1', port: 0 });
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  });
  afterAll(async () => {
    await browser?.close();
    await service?.close();
  });

  /** Opens a page and waits for `text`; tells what the browser asked for elsewhere, and what it complained about. */
  async function visit(path: string, text: string) {
    const page = await browser.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    const outside: string[] = [];
    const complaints: string[] = [];
    page.on('request', (request) => {
      const { protocol, origin: asked } = new URL(request.url());
      if (protocol.startsWith('http') && asked !== origin) outside.push(request.url());
    });
    page.on('console', (message) => {
      if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    await page.getByText(text).filter({ visible: true }).first().waitFor();
    await page.close();
    return { outside, complaints };
  }

  const pages = [
    ['/docs', '/v1/api-keys'],
    ['/redoc', 'Create an API key'],
    ['/docs/', 'Create an API key'],
  ] as const;
  it.each(rows(2, pages))(
    '%s shows the operations, asks nothing of the outside and complains about nothing',
    async (path, text) => {
      expect(await visit(path, text)).toEqual({ outside: [], complaints: [] });
    },
  );

  it.each(rows(1, ['/docs', '/redoc']))('%s is as wide as the phone that shows it', async (path) => {
    const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
    const page = await browser.newPage(phone);
    page.setDefaultTimeout(PATIENCE_MS);
    await page.goto(`${origin}${path}`, { waitUntil: 'networkidle' });
    await page.getByText('Create an API key').filter({ visible: true }).first().waitFor();
    expect(await page.evaluate('document.documentElement.clientWidth')).toBe(phone.viewport.width);
    await page.close();
  });
});
