// Makes the pictures of README.md and docs/console.md: `npm run pictures`. A service of its own, with a database that is
// thrown away, makes the calls of its demonstration and some more; a browser then takes the pictures.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';
import { buildDist } from './build.mjs';
import { encodeIndexed } from './indexed-png.mjs';

const PORT = 8917;
const SERVICE = `http://127.0.0.1:${PORT}`;
const KEY = 'a-key-for-pictures-0001';
const SIZE = { width: 1200, height: 760 };
const LARGEST_BYTES = 100_000;
const LOOK_MS = 500;
const SETTLE_MS = 1_500;
/** Of the sandbox network: somebody who agrees, one who declines, one who is busy, one who does not want to talk. */
const PEOPLE = ['+15550100001', '+15550100002', '+15550100005', '+15550100007'];

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'docs', 'pictures');
const data = mkdtempSync(join(tmpdir(), 'callwright-pictures-'));

await buildDist();
const service = spawn(process.execPath, [join(root, 'dist', 'main.js')], {
  env: { ...process.env, DATA_DIR: data, PORT: String(PORT), API_KEYS: KEY, LOG_LEVEL: 'ERROR' },
  stdio: ['ignore', 'ignore', 'inherit'],
});
try {
  await until(async () => (await fetch(`${SERVICE}/health`).catch(() => null))?.ok);
  await takePictures(await fill());
} finally {
  service.kill('SIGTERM');
  await once(service, 'exit');
  rmSync(data, { recursive: true, force: true });
}

/** Calls of the agent of the demonstration; the longest of them is shown. */
async function fill() {
  const agents = await until(async () => {
    const { data: all } = await ask('GET', '/api/agents?limit=20');
    return all.some(({ playbook }) => playbook !== null) ? all : null;
  });
  const agent = agents.find(({ playbook }) => playbook !== null);
  for (const number of PEOPLE) {
    const body = { agent_id: agent.id, to_phone: number, customer_data: { name: 'Ada Lovelace' } };
    await ask('POST', '/api/calls', body);
  }
  const calls = await until(async () => {
    const { data: all } = await ask('GET', '/api/calls?limit=20');
    const isOver = all.length >= PEOPLE.length && all.every(({ ended_at: at }) => at !== null);
    return isOver && all.every(({ status, summary }) => status !== 'completed' || summary !== null)
      ? all
      : null;
  });
  const call = calls.reduce((longest, one) => (one.duration > longest.duration ? one : longest));
  return { agent, call };
}

async function takePictures({ agent, call }) {
  /** @type {[string, string, 'light' | 'dark'][]} */
  const pictures = [
    ['call', `/calls/${call.call_id}`, 'light'],
    ['agent', `/agents/${agent.id}`, 'light'],
    ['overview', '/', 'dark'],
  ];
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    // Letters without colours at their edges are half the size.
    args: ['--no-sandbox', '--disable-lcd-text'],
  });
  for (const [name, path, colorScheme] of pictures) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme });
    await page.goto(`${SERVICE}/console${path}#key=${KEY}`);
    await page.locator('main h1').waitFor();
    await page.locator('.skeleton').first().waitFor({ state: 'detached' });
    await page.waitForTimeout(SETTLE_MS);
    const shot = await page.screenshot();
    await page.goto('about:blank');
    const png = encodeIndexed(await pixelsOf(page, shot), SIZE.width);
    await page.close();
    writeFileSync(join(folder, `${name}.png`), png);
    const isTooLarge = png.length > LARGEST_BYTES;
    process.stdout.write(
      `${name}.png ${Math.round(png.length / 1_000)} kB${isTooLarge ? ': too large' : ''}\n`,
    );
  }
  await browser.close();
}

/** The pixels of a picture, four bytes each. */
async function pixelsOf(page, png) {
  const base64 = await page.evaluate(async (source) => {
    const picture = new Image();
    picture.src = `data:image/png;base64,${source}`;
    await picture.decode();
    const canvas = document.createElement('canvas');
    canvas.width = picture.width;
    canvas.height = picture.height;
    const drawing = canvas.getContext('2d');
    drawing.drawImage(picture, 0, 0);
    const { data: pixels } = drawing.getImageData(0, 0, canvas.width, canvas.height);
    const reader = new FileReader();
    reader.readAsDataURL(new Blob([pixels]));
    await new Promise((resolve) => reader.addEventListener('load', resolve));
    return reader.result.slice(reader.result.indexOf(',') + 1);
  }, png.toString('base64'));
  return Buffer.from(base64, 'base64');
}

async function ask(method, path, body) {
  const headers = { 'x-api-key': KEY, ...(body && { 'content-type': 'application/json' }) };
  const answer = await fetch(SERVICE + path, {
    method,
    headers,
    ...(body && { body: JSON.stringify(body) }),
  });
  if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function until(look) {
  for (;;) {
    const seen = await look();
    if (seen) return seen;
    if (service.exitCode !== null) throw new Error('the service has ended');
    await sleep(LOOK_MS);
  }
}
