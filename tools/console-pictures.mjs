// Writes the pictures of docs/console.md: node tools/console-pictures.mjs http://localhost:8010 <API key>
// The service should have a finished call with words and an agent with a playbook.
import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from 'playwright-core';

const [, , service, key] = process.argv;
if (!service || !key)
  throw new Error('usage: node tools/console-pictures.mjs <address of the service> <API key>');

const folder = fileURLToPath(new URL('../docs/pictures/', import.meta.url));
const CALLS_LOOKED_AT = 20;

const ask = async (path) => (await fetch(`${service}${path}`, { headers: { 'x-api-key': key } })).json();
const calls = await ask(`/api/calls?status=completed&limit=${CALLS_LOOKED_AT}`);
const call = calls.data.reduce((longest, one) => (one.duration > longest.duration ? one : longest));
const agents = await ask('/api/agents?limit=20');
const agent = agents.data.find(({ playbook }) => playbook !== null);

/** @type {[string, string, 'light' | 'dark'][]} */
const PICTURES = [
  ['call', `/calls/${call.call_id}`, 'light'],
  ['agent', `/agents/${agent.id}`, 'light'],
  ['overview', '/', 'dark'],
];

await mkdir(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args: ['--no-sandbox'] });
for (const [name, path, colorScheme] of PICTURES) {
  const page = await browser.newPage({ viewport: { width: 1280, height: 860 }, colorScheme });
  await page.goto(`${service}/console${path}#key=${key}`);
  await page.locator('main h1').waitFor();
  await page.waitForLoadState('load');
  await page.waitForTimeout(2_000);
  await page.screenshot({ path: `${folder}${name}.png` });
  await page.close();
}
await browser.close();
