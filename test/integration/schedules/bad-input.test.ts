import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMING_JANUARY } from '#test/support/coming-january.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

type Body = Record<string, unknown>;
interface Failure {
  code: string;
  details: { field: string; message: string }[];
}

let service: TestService;
let agentId: string;
let onceUrl: string;
let dailyUrl: string;

async function ask(
  method: string,
  url: string,
  payload?: string | Body,
  headers: Record<string, string> = {},
) {
  const answer = await service.app.server.inject({
    method: method as 'GET',
    url,
    headers: { 'x-api-key': TEST_KEY, ...headers },
    ...(payload === undefined ? {} : { payload }),
  });
  return { status: answer.statusCode, body: answer.json<Failure & Body>() };
}
const fieldsOf = ({ body }: { body: Failure }) => body.details.map(({ field }) => field);

const ONCE = { phone_number: '+14155550123', scheduled_time: `${COMING_JANUARY}-01-05 10:00:00` };
const DAILY = { phone_number: '+14155550123', cron_expression: '0 9 * * *', max_occurrences: 9 };

beforeAll(async () => {
  service = await buildTestService();
  agentId = String((await ask('POST', '/api/agents', { name: 'Receptionist' })).body['id']);
  const once = await ask('POST', '/api/scheduled-calls', { agent_id: agentId, ...ONCE });
  const daily = await ask('POST', '/api/scheduled-calls/recurring', { agent_id: agentId, ...DAILY });
  onceUrl = `/api/scheduled-calls/${String(once.body['id'])}`;
  dailyUrl = `/api/scheduled-calls/${String(daily.body['id'])}`;
});
afterAll(() => service.close());

const LARGE = { text: 'x'.repeat(70_000) };
/** An invalid value for every common field, and the field that the error names. */
const SHARED: [Body, string][] = [
  [{ agent_id: 7 }, 'agent_id'],
  [{ agent_id: '' }, 'agent_id'],
  [{ agent_id: 'x'.repeat(101) }, 'agent_id'],
  [{ phone_number: 14_155_550_123 }, 'phone_number'],
  [{ phone_number: '+1415' }, 'phone_number'],
  [{ phone_number: '+14155550123456789' }, 'phone_number'],
  [{ from_phone: [] }, 'from_phone'],
  [{ from_phone: 'me' }, 'from_phone'],
  [{ timezone: 3 }, 'timezone'],
  [{ timezone: 'Europe/Atlantis' }, 'timezone'],
  [{ timezone: 'UTC+3' }, 'timezone'],
  [{ name: {} }, 'name'],
  [{ name: 'x'.repeat(201) }, 'name'],
  [{ description: 1 }, 'description'],
  [{ description: 'x'.repeat(2_001) }, 'description'],
  [{ customer_context: 'Ada' }, 'customer_context'],
  [{ customer_context: LARGE }, 'customer_context'],
  [{ metadata: [1] }, 'metadata'],
  [{ metadata: LARGE }, 'metadata'],
  [{ retry_policy: 'often' }, 'retry_policy'],
  [{ retry_policy: { max_retries: -1 } }, 'retry_policy.max_retries'],
  [{ retry_policy: { max_retries: 1.5 } }, 'retry_policy.max_retries'],
  [{ retry_policy: { retry_delay: 86_401 } }, 'retry_policy.retry_delay'],
  [{ retry_policy: { retry_delay: '60' } }, 'retry_policy.retry_delay'],
  [{ retry_policy: { exponential_backoff: 'yes' } }, 'retry_policy.exponential_backoff'],
  [{ retry_policy: { retry_on: 'busy' } }, 'retry_policy.retry_on'],
  [{ retry_policy: { retry_on: ['busy', 'bored'] } }, 'retry_policy.retry_on[1]'],
  [{ call_window: { start: '25:00', end: '20:00' } }, 'call_window.start'],
  [{ call_window: { start: '09:00' } }, 'call_window.end'],
  [{ webhook_url: 'example.com' }, 'webhook_url'],
  [{ webhook_url: 'http://example.com/hook' }, 'webhook_url'],
  [{ webhook_url: 'https://169.254.169.254/latest' }, 'webhook_url'],
  [{ webhook_url: `https://example.com/${'x'.repeat(2_048)}` }, 'webhook_url'],
  [{ webhook_url: 'https://example.com/a hook' }, 'webhook_url'],
  [{ webhook_url: 'https://example.com/ho\nok' }, 'webhook_url'],
  [{ webhook_events: 'started' }, 'webhook_events'],
  [{ webhook_events: ['started', 'bored'] }, 'webhook_events[1]'],
  [{ grace_seconds: -1 }, 'grace_seconds'],
  [{ grace_seconds: 86_401 }, 'grace_seconds'],
  [{ grace_seconds: '300' }, 'grace_seconds'],
];
const TIMES: [Body, string][] = [
  [{ scheduled_time: 1_796_137_200 }, 'scheduled_time'],
  [{ scheduled_time: 'tomorrow' }, 'scheduled_time'],
  [{ scheduled_time: `${COMING_JANUARY}-01-05` }, 'scheduled_time'],
  [{ scheduled_time: `${COMING_JANUARY}-W02-1T10:00:00` }, 'scheduled_time'],
  [{ scheduled_time: `${COMING_JANUARY}-01-05 24:00:00` }, 'scheduled_time'],
  [{ scheduled_time: `${COMING_JANUARY}-02-30 10:00:00` }, 'scheduled_time'],
  [{ scheduled_time: '2020-01-01T10:00:00Z' }, 'scheduled_time'],
  [{ scheduled_time: `${COMING_JANUARY + 11}-01-01 10:00:00` }, 'scheduled_time'],
];
const RECURRENCES: [Body, string][] = [
  [{ cron_expression: 5 }, 'cron_expression'],
  [{ cron_expression: '0 9 * *' }, 'cron_expression'],
  [{ cron_expression: '@daily' }, 'cron_expression'],
  [{ cron_expression: '0 0 31 2 *' }, 'cron_expression'],
  [{ cron_expression: `${'0,'.repeat(200)}0 * * * *` }, 'cron_expression'],
  [{ max_occurrences: 0 }, 'max_occurrences'],
  [{ max_occurrences: 1.5 }, 'max_occurrences'],
  [{ max_occurrences: '3' }, 'max_occurrences'],
  [{ max_occurrences: 1_000_001 }, 'max_occurrences'],
];

async function expectRefused(answer: Promise<{ status: number; body: Failure }>, field: string) {
  const given = await answer;
  expect(given.status).toBe(400);
  expect([...new Set(fieldsOf(given))]).toEqual([field]);
}
const shown = ([body, field]: [Body, string]) => [JSON.stringify(body).slice(0, 60), body, field] as const;

describe('a wrong field of a request', () => {
  it.each([...SHARED, ...TIMES].map(shown))('once: %s', async (_name, more, field) => {
    await expectRefused(ask('POST', '/api/scheduled-calls', { agent_id: agentId, ...ONCE, ...more }), field);
    await expectRefused(ask('PUT', onceUrl, more), field);
  });

  it.each([...SHARED, ...RECURRENCES].map(shown))('again and again: %s', async (_name, more, field) => {
    const body = { agent_id: agentId, ...DAILY, ...more };
    await expectRefused(ask('POST', '/api/scheduled-calls/recurring', body), field);
    await expectRefused(ask('PATCH', dailyUrl, more), field);
  });

  it('is refused also where it belongs to the other kind of schedule', async () => {
    await expectRefused(ask('PUT', onceUrl, { cron_expression: '0 9 * * *' }), 'cron_expression');
    await expectRefused(ask('PUT', onceUrl, { max_occurrences: 3 }), 'max_occurrences');
    await expectRefused(ask('PUT', dailyUrl, { scheduled_time: ONCE.scheduled_time }), 'scheduled_time');
  });

  it('that is missing is named, with all others', async () => {
    expect(fieldsOf(await ask('POST', '/api/scheduled-calls', {}))).toEqual(
      expect.arrayContaining(['agent_id', 'phone_number', 'scheduled_time']),
    );
    expect(fieldsOf(await ask('POST', '/api/scheduled-calls/recurring', {}))).toEqual(
      expect.arrayContaining(['agent_id', 'phone_number', 'cron_expression']),
    );
    expect(fieldsOf(await ask('POST', '/api/scheduled-calls/preview', {}))).toEqual(['cron_expression']);
  });

  it.each<[Body, string]>([
    [{ cron_expression: '61 * * * *' }, 'cron_expression'],
    [{ timezone: 'Mars' }, 'timezone'],
    [{ after: '9999-12-31T23:59:59Z' }, 'after'],
    [{ after: 'later' }, 'after'],
    [{ count: 0 }, 'count'],
    [{ count: 101 }, 'count'],
    [{ count: '5' }, 'count'],
  ])('of a preview: %j', async (more, field) => {
    const url = '/api/scheduled-calls/preview';
    await expectRefused(ask('POST', url, { cron_expression: '0 9 * * *', ...more }), field);
  });

  it('is named together with all others', async () => {
    const wrong = { phone_number: 'x', cron_expression: 'y', timezone: 'z', max_occurrences: 0 };
    expect(fieldsOf(await ask('POST', '/api/scheduled-calls/recurring', wrong)).toSorted()).toEqual(
      ['agent_id', ...Object.keys(wrong)].toSorted(),
    );
  });

  it('unknown agents are nowhere, whichever way they are named', async () => {
    const nobody = { agent_id: 'agent_nobody' };
    for (const [method, url, body] of [
      ['POST', '/api/scheduled-calls', { ...ONCE, ...nobody }],
      ['POST', '/api/scheduled-calls/recurring', { ...DAILY, ...nobody }],
      ['PUT', onceUrl, nobody],
    ] as const) {
      const answer = await ask(method, url, body);
      expect(answer).toMatchObject({ status: 404, body: { error: 'agent does not exist' } });
    }
  });
});

describe('a wrong query', () => {
  it.each([
    ['status', 'dead'],
    ['type', 'weekly'],
    ['agent_id', 'x'.repeat(101)],
    ['phone_number', '1'.repeat(41)],
    ['name', 'x'.repeat(201)],
    ['from', 'monday'],
    ['to', 'friday'],
    ['created_after', 'x'],
    ['created_before', '2026'],
    ['q', 'x'.repeat(101)],
    ['sort', 'size'],
    ['limit', '0'],
    ['limit', 'many'],
    ['cursor', 'x'],
  ])('of the list: %s=%.20s', async (name, value) => {
    const answer = await ask('GET', `/api/scheduled-calls?${name}=${value}`);
    expect(answer.status).toBe(400);
    expect(fieldsOf(answer)[0]).toMatch(new RegExp(`^query\\.${name}`));
  });

  it.each([
    ['GET', '/history?limit=0', 'query.limit'],
    ['GET', '/history?cursor=x', 'query.cursor'],
    ['GET', '/history?created_after=x', 'query.created_after'],
    ['GET', '/next-runs?count=0', 'query.count'],
    ['GET', '/next-runs?count=101', 'query.count'],
    ['GET', '/next-runs?count=few', 'query.count'],
    ['DELETE', '?hangup=perhaps', 'query.hangup'],
    ['DELETE', '?purge=perhaps', 'query.purge'],
  ])('%s %s', async (method, path, field) => {
    await expectRefused(ask(method, `${dailyUrl}${path}`), field);
  });
});

describe('a body that is none', () => {
  const JSON_TYPE = { 'content-type': 'application/json' };
  const TEN_MEGABYTES = JSON.stringify({ name: 'x'.repeat(10 * 1024 * 1024) });

  it.each([
    ['POST', '/api/scheduled-calls'],
    ['POST', '/api/scheduled-calls/recurring'],
    ['POST', '/api/scheduled-calls/preview'],
    ['PUT', ''],
  ])('%s %s', async (method, path) => {
    const url = path === '' ? onceUrl : path;
    for (const text of ['[]', '"x"', '7', 'null', '{"agent_id":', '\u0000'])
      expect((await ask(method, url, text, JSON_TYPE)).status, text).toBe(400);
    expect((await ask(method, url, TEN_MEGABYTES, JSON_TYPE)).status).toBe(413);
    expect((await ask(method, url, '<call/>', { 'content-type': 'application/xml' })).status).toBe(415);
  });

  it('leaves everything as it was', async () => {
    expect((await ask('GET', onceUrl)).body).toMatchObject({ ...ONCE, status: 'scheduled', name: null });
    expect((await ask('GET', dailyUrl)).body).toMatchObject({ ...DAILY, status: 'scheduled', name: null });
    expect((await ask('GET', '/api/scheduled-calls')).body['data']).toHaveLength(2);
  });
});

describe('an unknown schedule', () => {
  it.each([
    ['GET', ''],
    ['PUT', ''],
    ['DELETE', ''],
    ['POST', '/pause'],
    ['POST', '/resume'],
    ['POST', '/trigger'],
    ['POST', '/run'],
    ['GET', '/history'],
    ['GET', '/next-runs'],
  ])('is nowhere: %s %s', async (method, path) => {
    const answer = await ask(
      method,
      `/api/scheduled-calls/sched_nobody${path}`,
      method === 'PUT' ? {} : undefined,
    );
    expect(answer).toMatchObject({ status: 404, body: { code: 'scheduled_call_not_found' } });
  });
});
