import { existsSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from 'playwright-core';
import { PATIENCE_MS } from './patience.js';
import { buildTestService, TEST_KEY, type TestService } from './test-service.js';

const CHROMIUM = '/usr/bin/chromium';

/** Why browser tests are skipped; null if there is a browser. */
export const NO_BROWSER = existsSync(CHROMIUM) ? null : `there is no browser at ${CHROMIUM}`;

const WAV_HEADER_BYTES = 44;
const PAUSE_SECONDS = 5;

export interface ConsoleRig {
  service: TestService;
  /** Console errors of the pages, and requests to other hosts; empty unless something is wrong. */
  complaints: string[];
  /** Opens a new page, signed in by a key in the URL. */
  open(path: string, options?: BrowserContextOptions, key?: string): Promise<Page>;
  close(): Promise<void>;
}

/**
 * The service on a free port, and a browser.
 * @param spoken a WAV file that the browser's microphone repeats with pauses
 */
export async function startConsole(spoken?: URL): Promise<ConsoleRig> {
  const service = await buildTestService({ listen: true });
  const browser = await launch(spoken ? await withPause(spoken, service.dataDir) : null);
  const complaints: string[] = [];
  return {
    service,
    complaints,
    async open(path, options = {}, key = TEST_KEY) {
      const context = await browser.newContext({ permissions: ['microphone'], ...options });
      context.setDefaultTimeout(PATIENCE_MS);
      const page = await context.newPage();
      watch(page, service.baseUrl, complaints);
      await page.goto(`${service.baseUrl}/console${path}#key=${key}`);
      await page.locator('main h1').waitFor();
      return page;
    },
    async close() {
      await browser.close();
      await service.close();
    },
  };
}

function launch(spoken: string | null): Promise<Browser> {
  const microphone =
    spoken === null
      ? []
      : [
          '--use-fake-ui-for-media-stream',
          '--use-fake-device-for-media-stream',
          `--use-file-for-fake-audio-capture=${spoken}`,
        ];
  return chromium.launch({
    executablePath: CHROMIUM,
    // Animations would be drawn by the processor.
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      '--force-prefers-reduced-motion',
      ...microphone,
    ],
  });
}

/** The browser loops its file: a pause at the end separates the sentences. */
async function withPause(spoken: URL, folder: string): Promise<string> {
  const file = await readFile(spoken);
  const sampleRateHz = file.readUInt32LE(24);
  const sound = Buffer.concat([file, Buffer.alloc(sampleRateHz * 2 * PAUSE_SECONDS)]);
  sound.writeUInt32LE(sound.length - 8, 4);
  sound.writeUInt32LE(sound.length - WAV_HEADER_BYTES, 40);
  const path = join(folder, 'spoken.wav');
  await writeFile(path, sound);
  return path;
}

function watch(page: Page, origin: string, complaints: string[]): void {
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`${page.url()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('dialog', (dialog) => {
    complaints.push(`${page.url()}: a dialog says ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin: asked } = new URL(request.url());
    if (protocol.startsWith('http') && asked !== origin)
      complaints.push(`${page.url()}: asks ${request.url()}`);
  });
}

/** An agent that asks one question and says goodbye. */
export const SHORT_AGENT = {
  name: 'Short talk',
  initial_message: 'Hello.',
  playbook: {
    start: 'ask',
    steps: {
      ask: {
        kind: 'ask',
        text: 'Shall we come today?',
        expect: { kind: 'yes_no' },
        answers: { yes: 'coming', no: 'waiting' },
        otherwise: 'waiting',
      },
      coming: { kind: 'end', text: 'We are on our way. Goodbye.' },
      waiting: { kind: 'end', text: 'Then not. Goodbye.' },
    },
  },
};
