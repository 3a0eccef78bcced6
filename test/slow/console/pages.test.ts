import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import hostileTexts from '#test/support/hostile-texts.json' with { type: 'json' };
import { NO_BROWSER, SHORT_AGENT, startConsole, type ConsoleRig } from '#test/support/console-rig.js';
import { drawn, rounds } from '#test/support/tier.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** A few of them: test/slow/console/hostile.test.ts shows all of them. */
const PAYLOADS = hostileTexts.slice(0, 8);

const WIDTHS = [360, 1280, 2560];
const SCHEMES = ['light', 'dark'] as const;
/** How many schemes of colour each width of a page is tried in: in turn, unless in both. */
const SCHEMES_PER_WIDTH = rounds(1, SCHEMES.length);

/** How many of the two dozen pages are looked at, unless all: a page takes three seconds. */
const PAGES = 6;

/** Pages whose lists need the scope `admin`. */
const OF_ADMINISTRATORS = /^\/setup\/(keys|settings)/;
/** How buttons begin that change something at the service. */
const CHANGES =
  /^(Save|Delete|Create|Add(?! a step)|Start|Call|Erase|End|Send|Rotate|Pause|Resume|Register|Suppress|Make|Test(?! it)|Trigger|Revoke|Take|Run|Look|Import|Release)\b/;

describe.skipIf(NO_BROWSER)(`every page of the console${NO_BROWSER ? ` (${NO_BROWSER})` : ''}`, () => {
  let rig: ConsoleRig;
  let paths: readonly string[];

  beforeAll(async () => {
    rig = await startConsole();
    paths = drawn(PAGES, await fill(rig));
  });
  afterAll(() => rig?.close());

  it('has no fault for WCAG, and fits screens from 360 to 2560 px, light and dark', async () => {
    // The checker is put into the page as a script of its own.
    const page = await rig.open('', { bypassCSP: true });
    const faults: string[] = [];
    for (const [at, path] of paths.entries()) {
      await page.goto(`${rig.service.baseUrl}/console${path}`, { waitUntil: 'load' });
      await page.locator('main h1').waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      await page.evaluate(AXE);
      for (const { width, colorScheme } of screensOf(at)) {
        await page.setViewportSize({ width, height: 900 });
        await page.emulateMedia({ colorScheme });
        const found = await faultsOf(page);
        faults.push(...found.map((fault) => `${path}, ${width} px, ${colorScheme}: ${fault}`));
      }
    }
    await page.context().close();

    expect(faults).toEqual([]);
    expect(rig.complaints).toEqual([]);
  });

  it('offers a key that may only read nothing that changes something', async () => {
    const { body } = await rig.service.request('POST', '/v1/api-keys', { name: 'Reader', scopes: ['read'] });
    const page = await rig.open('', {}, (body as { key: string }).key);
    const offered: string[] = [];
    for (const path of paths.filter((one) => !OF_ADMINISTRATORS.test(one))) {
      await page.goto(`${rig.service.baseUrl}/console${path}`, { waitUntil: 'load' });
      await page.locator('main h1').waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      const buttons = await page.locator('main button:enabled').allTextContents();
      offered.push(...buttons.filter((name) => CHANGES.test(name)).map((name) => `${path}: ${name}`));
    }
    await page.context().close();

    expect(offered).toEqual([]);
    expect(rig.complaints).toEqual([]);
  });
});

/** The screens on which a page is tried: neighbouring pages and widths have different schemes of colour. */
function screensOf(pageIndex: number): { width: number; colorScheme: (typeof SCHEMES)[number] }[] {
  return WIDTHS.flatMap((width, at) =>
    Array.from({ length: SCHEMES_PER_WIDTH }, (_, round) => {
      const colorScheme = SCHEMES[(pageIndex + at + round) % SCHEMES.length]!;
      return { width, colorScheme };
    }),
  );
}

async function faultsOf(page: Page): Promise<string[]> {
  const { violations } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResults;
  const tooWide = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
  return [
    ...violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id} ${html.slice(0, 120)}`)),
    ...(tooWide > 0 ? [`wider than the screen by ${tooWide} px`] : []),
  ];
}

/** Something of everything, with texts that would run if they were markup; returns the paths of all pages. */
async function fill({ service: { request } }: ConsoleRig): Promise<string[]> {
  const post = async (path: string, body: unknown): Promise<{ id: string }> => {
    const answer = await request('POST', path, body);
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    return answer.body as { id: string };
  };
  const agents = await Promise.all(
    PAYLOADS.map((payload) =>
      post('/api/agents', { ...SHORT_AGENT, name: payload, initial_message: payload.replace(/[{}]/g, '') }),
    ),
  );
  const agentId = agents[0]!.id;
  const model = await post('/api/agents', {
    name: 'Model',
    ai_provider: 'openai',
    system_prompt: PAYLOADS[0],
  });
  const call = await post('/outbound-call', {
    agent_id: agentId,
    to_number: '+15550100009',
    customer_data: { name: PAYLOADS[1], note: PAYLOADS[2] },
  });
  const batch = await post('/batch/schedule-call', {
    name: PAYLOADS[0],
    agent_id: agentId,
    // Those who are busy, do not answer, or hang up at once.
    to_number: PAYLOADS.slice(0, 5).map((name, index) => ({ phone_number: `+1555010000${index + 5}`, name })),
  });
  const schedule = await post('/api/scheduled-calls/recurring', {
    agent_id: agentId,
    phone_number: '+15550100001',
    name: PAYLOADS[0],
    description: PAYLOADS[2],
    cron_expression: '0 9 * * *',
  });
  const webhook = await post('/v1/webhooks', { url: 'https://127.0.0.1:9/<img>', description: PAYLOADS[0] });
  await post('/api/suppressions', { phone_number: '+15550100022', note: PAYLOADS[0] });
  await post('/api/phone-numbers', { phone_number: '+14155550123', agent_id: agentId, label: PAYLOADS[0] });
  await request('PUT', '/api/secrets/crm_key', { value: 'not-shown-again' });
  return [
    '/',
    '/talk',
    '/live',
    '/calls',
    '/calls/new',
    `/calls/${call.id}`,
    '/agents',
    '/agents/new',
    `/agents/${agentId}`,
    `/agents/${model.id}`,
    '/batches',
    '/batches/new',
    `/batches/${batch.id}`,
    '/schedules',
    '/schedules/new',
    `/schedules/${schedule.id}`,
    '/numbers',
    '/numbers/%2B15550100022',
    '/webhooks',
    `/webhooks/${webhook.id}`,
    '/setup',
    ...['numbers', 'keys', 'secrets', 'suppressions', 'settings'].map((part) => `/setup/${part}`),
  ];
}
