import { existsSync } from 'node:fs';
import { chromium, type Browser, type BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PATIENCE_MS } from '#test/support/patience.js';
import { drawn } from '#test/support/tier.js';
import { startTestServer, type TestServer } from '#test/support/server.js';

const CHROMIUM = '/usr/bin/chromium';
const PHONE = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const DESKTOP = { viewport: { width: 1280, height: 720 } };

type Visit = readonly [path: string, text: string, device: typeof PHONE | typeof DESKTOP];

/** The same document on two devices, by both of its addresses. */
const SWAGGER: readonly Visit[] = [
  ['/docs', '/v1/api-keys', PHONE],
  ['/docs/', 'Create an API key', DESKTOP],
];
const REDOC: readonly Visit[] = [['/redoc', 'Create an API key', PHONE]];

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

  /**
   * Opens a page and waits for `text`; tells what the browser asked for elsewhere, what it complained about, and how
   * wide it shows the page.
   */
  async function visit(path: string, text: string, device: BrowserContextOptions) {
    const page = await browser.newPage(device);
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
    const width = await page.evaluate('document.documentElement.clientWidth');
    await page.close();
    return { outside, complaints, width };
  }

  it.each([...drawn(1, SWAGGER), ...REDOC])(
    '%s shows the operations as wide as the screen, asks nothing of the outside and complains about nothing',
    async (path, text, device) => {
      const { width } = device.viewport;
      expect(await visit(path, text, device)).toEqual({ outside: [], complaints: [], width });
    },
  );
});
