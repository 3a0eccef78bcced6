import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

type Json = Record<string, unknown>;

const NUMBER = '+15550100009';

let service: TestService;
/** An administrator of another workspace. */
let stranger: string;
/** Something of everything in the usual workspace: what stands for it in paths, and what it is. */
const ours: Record<string, string> = {};
beforeAll(async () => {
  service = await buildTestService();
  const { id: keyId, key } = await make('/v1/api-keys', { name: 'Neighbour', scopes: ['admin'] });
  const database = new Database(join(service.dataDir, 'callwright.db'));
  database.prepare(`update api_keys set workspace = 'neighbour' where id = ?`).run(keyId);
  database.close();
  stranger = String(key);

  await ask(stranger, 'POST', '/v1/webhooks', { url: 'https://127.0.0.1:9/theirs' });
  const webhook = await make('/v1/webhooks', { url: 'https://127.0.0.1:9/ours' });
  const agent = await make('/api/agents', { name: 'Receptionist' });
  const number = await make('/api/phone-numbers', { phone_number: '+15550100100', agent_id: agent.id });
  const call = await make('/api/calls', { agent_id: agent.id, to_phone: NUMBER });
  const schedule = await make('/api/scheduled-calls/recurring', {
    agent_id: agent.id,
    phone_number: NUMBER,
    cron_expression: '0 9 1 1 *',
  });
  const batch = await make('/batch/schedule-call', { to_number: [NUMBER], agent_id: agent.id });
  const delivery = await make(`/v1/webhooks/${webhook.id}/test`, {});
  const suppression = await make('/api/suppressions', { phone_number: '+15550100122', reason: 'opt_out' });
  await service.request('PUT', '/api/secrets/crm_key', { value: 'a secret of ours' });
  const own = await make('/v1/api-keys', { name: 'Ours' });
  Object.assign(ours, {
    agent_id: agent.id,
    number_id: number.id,
    call_id: call.id,
    schedule_id: schedule.id,
    batch_id: batch.id,
    webhook_id: webhook.id,
    delivery_id: delivery.id,
    suppression_id: suppression.id,
    key_id: own.id,
  });
});
afterAll(() => service.close());

async function make(url: string, payload: Json): Promise<{ id: string; key?: string }> {
  const { status, body } = await service.request('POST', url, payload);
  expect([url, status < 300 ? 'made' : body]).toEqual([url, 'made']);
  return body as { id: string };
}

async function ask(key: string, method: string, url: string, payload?: Json) {
  const answer = await service.app.server.inject({
    method: method as 'POST',
    url,
    headers: { 'x-api-key': key },
    ...(payload && { payload }),
  });
  return { status: answer.statusCode, body: answer.body };
}

function dataOf(body: string): Json[] {
  return (JSON.parse(body) as { data: Json[] }).data;
}

/** What the lists of the stranger hold. */
const THEIRS: Readonly<Record<string, string[]>> = {
  '/v1/api-keys': ['Neighbour'],
  '/v1/webhooks': ['https://127.0.0.1:9/theirs'],
};

/** Every route with an id in its path: `GET /api/calls/{call_id}`. */
function routesWithIds(): { method: string; path: string; id: string }[] {
  return Object.entries(service.app.server.openApi().paths).flatMap(([path, operations]) => {
    const id = /\{(\w+)\}/.exec(path)?.[1];
    if (id === undefined || ours[id] === undefined) return [];
    return Object.keys(operations).map((method) => ({ method: method.toUpperCase(), path, id }));
  });
}

/** What would be done if it were allowed. */
const BODIES: Readonly<Record<string, Json>> = {
  'POST /api/calls/{call_id}/digits': { digits: '1' },
  'POST /api/calls/{call_id}/say': { text: 'Hello.' },
  'POST /api/calls/{call_id}/context': { text: 'A note.' },
  'POST /api/calls/{call_id}/transfer': { to_number: '+14155550123' },
  'POST /v1/webhooks/{webhook_id}/replay': { since: '2026-01-01T00:00:00Z' },
};

describe('a workspace', () => {
  it('answers about the things of another one exactly as about things that are not there', async () => {
    const wrong: string[] = [];
    const routes = routesWithIds();
    expect(new Set(routes.map(({ id }) => id))).toEqual(new Set(Object.keys(ours)));
    for (const { method, path, id } of routes) {
      const payload =
        method === 'GET' || method === 'DELETE' ? undefined : (BODIES[`${method} ${path}`] ?? {});
      const real = ours[id]!;
      const unknown = real.replace(/.{6}$/, '000000');
      const asked = (name: string) => ask(stranger, method, path.replace(`{${id}}`, name), payload);
      const [theirs, none] = [await asked(real), await asked(unknown)];
      const bare = ({ body }: { body: string }) => body.replace(/"request_id":"\w+"/, '');
      if (theirs.status !== 404 || bare(theirs) !== bare(none))
        wrong.push(
          `${method} ${path}: ${theirs.status} ${theirs.body}, instead of ${none.status} ${none.body}`,
        );
    }
    expect(wrong).toEqual([]);
  });

  it('has empty lists, whatever the others hold', async () => {
    const lists = Object.entries(service.app.server.openApi().paths).filter(
      ([path, { get }]) =>
        get !== undefined && !path.includes('{') && path !== '/api/timezones' && path !== '/api/live',
    );
    let seen = 0;
    for (const [path] of lists) {
      const { body } = await ask(stranger, 'GET', path);
      if (!body.startsWith('{"object":"list"')) continue;
      seen += 1;
      const theirs = dataOf(body).map(({ name, url }) => name ?? url);
      expect([path, theirs]).toEqual([path, THEIRS[path] ?? []]);
      const mine = dataOf((await ask(TEST_KEY, 'GET', path)).body);
      expect([path, mine.length > 0]).toEqual([path, true]);
    }
    expect(seen).toBeGreaterThanOrEqual(10);
  });

  it('is told of what happens in itself, and of nothing else', async () => {
    const told = dataOf((await ask(TEST_KEY, 'GET', '/v1/webhooks/logs?event_type=call.initiated')).body);
    expect(told[0]).toMatchObject({ webhook_id: ours['webhook_id'] });
    expect(dataOf((await ask(stranger, 'GET', '/v1/webhooks/logs')).body)).toEqual([]);
    const events = await ask(stranger, 'GET', `/v1/webhooks/logs?webhook_id=${ours['webhook_id']}`);
    expect(dataOf(events.body)).toEqual([]);
  });

  it('cannot use the things of another one in its own', async () => {
    const { agent_id, batch_id, call_id } = ours;
    for (const [method, url, payload] of [
      ['POST', '/api/calls', { agent_id, to_phone: NUMBER }],
      ['POST', '/outbound-call', { agent_id, to_number: NUMBER }],
      ['POST', '/batch/schedule-call', { agent_id, to_number: [NUMBER] }],
      [
        'POST',
        '/api/scheduled-calls/recurring',
        { agent_id, phone_number: NUMBER, cron_expression: '0 9 * * *' },
      ],
      ['POST', '/api/phone-numbers', { agent_id, phone_number: '+15550100101' }],
    ] as const) {
      const { status, body } = await ask(stranger, method, url, payload);
      expect([url, status, JSON.parse(body)]).toMatchObject([url, 404, { error: 'agent does not exist' }]);
    }
    for (const query of [`batch_id=${batch_id}`, `agent_id=${agent_id}`, `q=${call_id}`, `phone=${NUMBER}`])
      expect(JSON.parse((await ask(stranger, 'GET', `/api/calls?${query}`)).body)).toMatchObject({
        data: [],
      });
    const factsFor = async (key: string): Promise<unknown> =>
      JSON.parse((await ask(key, 'GET', '/api/numbers/+15550100122')).body);
    expect(await factsFor(TEST_KEY)).toMatchObject({ suppressed: true });
    expect(await factsFor(stranger)).toMatchObject({ suppressed: false });
  });

  it('leaves everything of the others as it was', async () => {
    for (const [path, id] of [
      ['/api/agents', 'agent_id'],
      ['/api/phone-numbers', 'number_id'],
      ['/api/calls', 'call_id'],
      ['/api/batches', 'batch_id'],
      ['/v1/webhooks', 'webhook_id'],
      ['/api/suppressions', 'suppression_id'],
      ['/v1/api-keys', 'key_id'],
    ] as const)
      expect([path, (await ask(TEST_KEY, 'GET', `${path}/${ours[id]}`)).status]).toEqual([path, 200]);
    const { body } = await ask(TEST_KEY, 'GET', `/api/scheduled-calls/${ours['schedule_id']}`);
    expect(JSON.parse(body)).toMatchObject({ status: 'scheduled' });
  });
});
