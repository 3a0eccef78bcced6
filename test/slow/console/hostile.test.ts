import { join } from 'node:path';
import Database from 'better-sqlite3';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NO_BROWSER, SHORT_AGENT, startConsole, type ConsoleRig } from '#test/support/console-rig.js';
import { COMING_JANUARY } from '#test/support/coming-january.js';
import { drawn } from '#test/support/tier.js';
import texts from '#test/support/hostile-texts.json' with { type: 'json' };

/** Nobody is called meanwhile. */
const LATER = `${COMING_JANUARY}-01-04T09:00:00Z`;
/** Elements that only markup out of those texts would make. */
const INJECTED =
  'img[src=x], iframe, main script, base, meta[http-equiv], object, embed, [href^="javascript:"]';

/** Their names are all in the list; the pages differ in nothing else. */
const AGENTS_OPENED = 3;

/** How many pages are looked at that list every text, and that show one or none; all in a soak run. */
const PAGES_OF_ALL = 4;
const PAGES_OF_ONE = 3;

const numberOf = (index: number): string => `+1415555${String(2000 + index)}`;

describe.skipIf(NO_BROWSER)(
  `texts that would run if they were markup${NO_BROWSER ? ` (${NO_BROWSER})` : ''}`,
  () => {
    let rig: ConsoleRig;
    let ids: Awaited<ReturnType<typeof fill>>;

    beforeAll(async () => {
      rig = await startConsole();
      ids = await fill(rig);
    });
    afterAll(() => rig?.close());

    it('are shown as they are, on every page that lists or shows one', async () => {
      const page = await rig.open('');
      const listing = [
        '/agents',
        `/calls/${ids.call}`,
        '/calls',
        `/batches/${ids.batch}`,
        '/schedules',
        '/webhooks',
        `/webhooks/deliveries/${ids.delivery}`,
        '/setup/numbers',
        '/setup/suppressions',
        '/setup/keys',
      ];
      const showing = [
        '/',
        '/talk',
        '/live',
        '/batches',
        `/schedules/${ids.schedule}`,
        `/webhooks/${ids.webhook}`,
        `/numbers/${encodeURIComponent(numberOf(0))}`,
        ...ids.agents.slice(0, AGENTS_OPENED).map((id) => `/agents/${id}`),
      ];
      const pages: [path: string, everyText: boolean][] = [
        ...drawn(PAGES_OF_ALL, listing).map((path): [string, boolean] => [path, true]),
        ...drawn(PAGES_OF_ONE, showing).map((path): [string, boolean] => [path, false]),
      ];
      const missing: string[] = [];
      for (const [path, everyText] of pages) {
        await page.goto(`${rig.service.baseUrl}/console${path}`, { waitUntil: 'load' });
        await page.locator('main h1').waitFor();
        await page.locator('.skeleton').first().waitFor({ state: 'detached' });
        if (everyText) missing.push(...(await textsNotShown(page)).map((text) => `${path}: ${text}`));
        expect([path, await page.locator(INJECTED).count()]).toEqual([path, 0]);
      }
      await page.context().close();

      expect(missing).toEqual([]);
      expect(rig.complaints).toEqual([]);
    });

    it('are cells and headings of a table that is dropped', async () => {
      const page = await rig.open('/batches/new');
      const cell = (text: string) => `"${text.replaceAll('"', '""')}"`;
      const rows = texts.map((text, index) => [numberOf(index), text, text].map(cell).join(','));
      const table = [
        `phone_number,name,${cell(texts[0]!)}`,
        ...rows,
        ...texts.map((text) => `${cell(text)},x,y`),
      ];
      const buffer = Buffer.from(table.join('\n'));
      await page
        .getByLabel('Table of people')
        .setInputFiles({ name: '<img src=x onerror=alert(1)>.csv', mimeType: 'text/csv', buffer });
      await page.getByRole('region', { name: 'Rows that do not fit' }).waitFor();
      expect(await page.locator(INJECTED).count()).toBe(0);
      await page.context().close();
      expect(rig.complaints).toEqual([]);
    });
  },
);

async function textsNotShown(page: Page): Promise<string[]> {
  const more = page.getByRole('button', { name: 'Show more' }).first();
  while (await more.isVisible()) {
    await more.click();
    await page.locator('main .more button[aria-busy=true]').waitFor({ state: 'detached' });
  }
  const shown = (await page.locator('main').textContent()) ?? '';
  return texts.filter((text) => !shown.includes(text));
}

/** Every text in every field that callers, customers and receivers fill. */
async function fill({ service: { request, dataDir } }: ConsoleRig) {
  const post = async (path: string, body: unknown): Promise<{ id: string }> => {
    const answer = await request('POST', path, body);
    expect(answer.status, `${path} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
    return answer.body as { id: string };
  };
  const fillAll = async (text: string, index: number): Promise<string> => {
    const agent = await post('/api/agents', { ...SHORT_AGENT, name: text, metadata: { text } });
    const agentId = agent.id;
    await post('/api/scheduled-calls/recurring', {
      agent_id: agentId,
      phone_number: numberOf(index),
      name: text,
      description: text,
      cron_expression: '0 9 1 1 *',
    });
    await post('/api/suppressions', { phone_number: numberOf(100 + index), note: text });
    await post('/api/phone-numbers', { phone_number: numberOf(200 + index), agent_id: agentId, label: text });
    await post('/v1/webhooks', { url: 'https://127.0.0.1:9/', description: text, active: false });
    await post('/v1/api-keys', { name: text });
    await post('/api/calls', {
      agent_id: agentId,
      to_phone: numberOf(index),
      name: text,
      customer_data: { name: text, note: text },
      scheduled_time: LATER,
    });
    return agentId;
  };
  const agents = await Promise.all(texts.map(fillAll));
  const batch = await post('/batch/schedule-call', {
    name: texts[0],
    agent_id: agents[0],
    scheduled_time: LATER,
    to_number: texts.map((name, index) => ({ phone_number: numberOf(index), name })),
  });
  const schedule = await post('/api/scheduled-calls/recurring', {
    agent_id: agents[1],
    phone_number: numberOf(0),
    name: texts[1],
    cron_expression: '0 9 1 1 *',
  });
  const webhook = await post('/v1/webhooks', { url: 'https://127.0.0.1:9/a', description: texts[2] });
  const delivery = await post(`/v1/webhooks/${webhook.id}/test`, {});
  const call = await post('/outbound-call', {
    agent_id: agents[0],
    to_number: '+15550100009',
    customer_data: { name: texts[1] },
  });
  write(join(dataDir, 'callwright.db'), { call: call.id, delivery: delivery.id });
  return {
    agents,
    batch: batch.id,
    schedule: schedule.id,
    webhook: webhook.id,
    delivery: delivery.id,
    call: call.id,
  };
}

/** What callers say, tools answer and receivers answer, as it stands in the database. */
function write(path: string, { call, delivery }: { call: string; delivery: string }): void {
  const database = new Database(path);
  const entry = database.prepare(
    `insert into transcript_entries (call_id, sequence, speaker, text, confidence, start_ms, end_ms, interrupted, unheard)
     values (?, ?, ?, ?, 1, ?, ?, 1, ?)`,
  );
  const tool = database.prepare('insert into call_tools values (?, ?, ?, ?, ?, ?, ?, ?, 10)');
  for (const [index, text] of texts.entries()) {
    const at = 100_000 + index * 1_000;
    entry.run(call, 1_000 + index, index % 2 === 0 ? 'customer' : 'agent', text, at, at + 500, text);
    tool.run(call, 1_000 + index, text, text, text, 'ok', text, at);
  }
  database.prepare('update calls set summary = ? where id = ?').run(texts[0], call);
  database
    .prepare(`insert into delivery_attempts values (?, 99, 1, 1, 'server_error', 500, ?)`)
    .run(delivery, texts.join('\n'));
  database.close();
}
