import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, SHORT_AGENT, startConsole, type ConsoleRig } from '#test/support/console-rig.js';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

const PAYLOADS = [
  '<img src=x onerror=alert(1)>',
  '<script>alert(1)</script>',
  '"><svg onload=alert(1)>',
  "'-alert(1)-'",
  'javascript:alert(1)',
  '<iframe srcdoc="<script>parent.alert(1)</script>">',
  '{{constructor.constructor("alert(1)")()}}',
  '</textarea><script>alert(1)</script>',
];

const SCREENS = [
  { width: 360, scheme: 'dark' },
  { width: 1280, scheme: 'light' },
  { width: 2560, scheme: 'dark' },
] as const;

describe.skipIf(NO_BROWSER)(`every page of the console${NO_BROWSER ? ` (${NO_BROWSER})` : ''}`, () => {
  let rig: ConsoleRig;
  let paths: string[];

  beforeAll(async () => {
    rig = await startConsole();
    paths = await fill(rig);
  });
  afterAll(() => rig?.close());

  it.each(SCREENS)('has no fault for WCAG and fits $width px, $scheme', async ({ width, scheme }) => {
    const page = await rig.open('', {
      viewport: { width, height: 900 },
      colorScheme: scheme,
      // The checker is put into the page as a script of its own.
      bypassCSP: true,
    });
    const faults: string[] = [];
    for (const path of paths) {
      await page.goto(`${rig.service.baseUrl}/console${path}`, { waitUntil: 'load' });
      await page.locator('main h1').waitFor();
      await page.locator('.skeleton').first().waitFor({ state: 'detached' });
      faults.push(...(await faultsOf(page)).map((fault) => `${path}: ${fault}`));
    }
    await page.context().close();

    expect(faults).toEqual([]);
    expect(rig.complaints).toEqual([]);
  });

  it('runs nothing that names, notes and addresses hold', async () => {
    const page = await rig.open('');
    for (const path of paths) {
      await page.goto(`${rig.service.baseUrl}/console${path}`, { waitUntil: 'load' });
      await page.locator('main h1').waitFor();
    }
    const injected = await page.locator('img[src=x], iframe, main script').count();
    await page.context().close();

    expect([injected, rig.complaints]).toEqual([0, []]);
  });
});

async function faultsOf(page: Page): Promise<string[]> {
  await page.evaluate(AXE);
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
