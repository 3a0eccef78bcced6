import Database from 'better-sqlite3';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

type Json = Record<string, unknown>;

const NUMBER = '+14155550123';
/** Registered by the neighbour. */
const THEIRS = '+14155550100';
const OURS = '+14155550101';
const LATER = toInstant(systemClock.wallMs() + 7 * 86_400_000);

let service: TestService;
/** What stands for ids in paths. */
const ours: Record<string, string> = {};

beforeAll(async () => {
  service = await buildTestService();
  const neighbour = await make('/v1/api-keys', { name: 'Neighbour', scopes: ['admin'] });
  const database = new Database(join(service.dataDir, 'callwright.db'));
  database.prepare(`update api_keys set workspace = 'neighbour' where id = ?`).run(neighbour['id']);
  database.close();
  const registered = await send(String(neighbour['key']), 'POST', '/api/phone-numbers', {
    phone_number: THEIRS,
  });
  expect(registered.status).toBe(201);
  await make('/api/phone-numbers', { phone_number: OURS });
  const agent = await make('/api/agents', { name: 'Receptionist' });
  ours['agent_id'] = String(agent['id']);
  const schedule = await make('/api/scheduled-calls/recurring', {
    agent_id: agent['id'],
    phone_number: NUMBER,
    cron_expression: '0 9 1 1 *',
  });
  const batch = await make('/batch/schedule-call', {
    to_number: [NUMBER],
    scheduled_time: LATER,
  });
  const single = await make('/outbound-call', { to_number: NUMBER, scheduled_time: LATER });
  Object.assign(ours, { schedule_id: schedule['id'], batch_id: batch['id'], call_id: single['call_id'] });
});
afterAll(() => service.close());

async function make(url: string, payload: Json): Promise<Json> {
  const { status, body } = await send(TEST_KEY, 'POST', url, payload);
  expect([url, status < 300 ? 'made' : body]).toEqual([url, 'made']);
  return body;
}

async function send(
  key: string,
  method: string,
  url: string,
  payload: Json,
): Promise<{ status: number; body: Json }> {
  const answer = await service.app.server.inject({
    method: method as 'POST',
    url: url.replace(/\{(\w+)\}/g, (_all, name: string) => ours[name]!),
    headers: { authorization: `Bearer ${key}` },
    payload,
  });
  return { status: answer.statusCode, body: answer.json() };
}

describe('a number that another workspace has registered is no caller id', () => {
  it.each<[method: string, url: string, field: string, body: (ours: Record<string, string>) => Json]>([
    ['POST', '/outbound-call', 'from_number', () => ({ to_number: NUMBER })],
    ['POST', '/outbound-call', 'from_number', () => ({ to_number: NUMBER, scheduled_time: LATER })],
    ['POST', '/api/calls', 'from_phone', ({ agent_id }) => ({ agent_id, to_phone: NUMBER })],
    ['POST', '/batch/schedule-call', 'from_number', () => ({ to_number: [NUMBER], scheduled_time: LATER })],
    [
      'POST',
      '/api/scheduled-calls',
      'from_phone',
      ({ agent_id }) => ({ agent_id, phone_number: NUMBER, scheduled_time: LATER }),
    ],
    [
      'POST',
      '/api/scheduled-calls/recurring',
      'from_phone',
      ({ agent_id }) => ({ agent_id, phone_number: NUMBER, cron_expression: '0 9 1 1 *' }),
    ],
    ['PATCH', '/api/scheduled-calls/{schedule_id}', 'from_phone', () => ({})],
    ['PUT', '/batch/scheduled-calls/{schedule_id}', 'from_number', () => ({})],
    ['PUT', '/batch/scheduled-calls/{batch_id}', 'from_number', () => ({})],
    ['PUT', '/batch/scheduled-calls/{call_id}', 'from_number', () => ({})],
  ])('%s %s', async (method, url, field, body) => {
    const refused = await send(TEST_KEY, method, url, { ...body(ours), [field]: THEIRS });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        code: 'validation_error',
        details: [{ field, message: 'is a number that another workspace has registered' }],
      },
    });
    const taken = await send(TEST_KEY, method, url, { ...body(ours), [field]: OURS });
    expect([taken.status < 300, taken.body['details']]).toEqual([true, undefined]);
  });
});
