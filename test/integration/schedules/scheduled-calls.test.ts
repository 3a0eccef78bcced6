import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { COMING_JANUARY } from '#test/support/coming-january.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

type Body = Record<string, unknown>;
let service: TestService;
let agentId: string;

const ask = async (method: string, url: string, payload?: unknown) => {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Body };
};

beforeAll(async () => {
  service = await buildTestService({ environment: { DEFAULT_TIMEZONE: 'Europe/Berlin' } });
  agentId = String((await ask('POST', '/api/agents', { name: 'Receptionist' })).body['id']);
});
afterAll(() => service.close());

/** New Year of next year but one is too far, of next year is always ahead. */
const once = (more: Body = {}): Body => ({
  agent_id: agentId,
  phone_number: '+14155550123',
  scheduled_time: `${COMING_JANUARY}-01-05 10:00:00`,
  timezone: 'America/New_York',
  ...more,
});
const daily = (more: Body = {}): Body => ({
  agent_id: agentId,
  phone_number: '+14155550123',
  cron_expression: '0 9 * * MON-FRI',
  timezone: 'Europe/London',
  ...more,
});

describe('a one-time call', () => {
  it('is planned, read, listed, changed and cancelled', async () => {
    const made = await ask('POST', '/api/scheduled-calls', once({ name: 'Follow-up', metadata: { a: 1 } }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      object: 'scheduled_call',
      type: 'one_time',
      status: 'scheduled',
      agent_name: 'Receptionist',
      scheduled_time: `${COMING_JANUARY}-01-05 10:00:00`,
      scheduled_at: `${COMING_JANUARY}-01-05T15:00:00.000Z`,
      next_execution_time: `${COMING_JANUARY}-01-05T15:00:00.000Z`,
      cron_expression: null,
      occurrences: 0,
      retry_policy: { max_retries: 0, retry_delay: 300, exponential_backoff: false },
      webhook_events: ['started', 'completed', 'failed'],
      grace_seconds: 300,
    });
    const url = `/api/scheduled-calls/${String(made.body['id'])}`;
    expect((await ask('GET', url)).body).toEqual(made.body);

    const history = await ask('GET', `${url}/history`);
    expect(history.body).toMatchObject({
      schedule_id: made.body['id'],
      has_more: false,
      executions: [
        {
          status: 'pending',
          scheduled_time: `${COMING_JANUARY}-01-05T15:00:00.000Z`,
          actual_time: null,
          call_id: null,
          error: null,
          attempt: 1,
          trigger: 'schedule',
        },
      ],
    });
    expect((history.body['executions'] as Body[])[0]).not.toHaveProperty('duration');

    const changed = await ask('PUT', url, { timezone: 'Asia/Kolkata', customer_context: { name: 'Ada' } });
    expect(changed.status).toBe(200);
    expect(changed.body).toMatchObject({
      scheduled_time: `${COMING_JANUARY}-01-05 10:00:00`,
      next_execution_time: `${COMING_JANUARY}-01-05T04:30:00.000Z`,
      customer_context: { name: 'Ada' },
      metadata: { a: 1 },
    });
    expect((await ask('PATCH', url, { name: null })).body['name']).toBeNull();

    const listed = await ask(
      'GET',
      `/api/scheduled-calls?type=one_time&phone_number=+14155550123&status=pending`,
    );
    expect((listed.body['data'] as Body[]).map(({ id }) => id)).toContain(made.body['id']);

    const cancelled = await ask('DELETE', url);
    expect(cancelled.body).toMatchObject({
      status: 'cancelled',
      success: true,
      deleted: true,
      next_execution_time: null,
    });
    expect((await ask('DELETE', url)).status).toBe(200);
    expect((await ask('GET', url)).body['status']).toBe('cancelled');
    for (const action of ['pause', 'resume', 'trigger'])
      expect((await ask('POST', `${url}/${action}`)).status, action).toBe(409);
    expect((await ask('PUT', url, { name: 'x' })).status).toBe(409);
    expect((await ask('DELETE', `${url}?purge=true`)).status).toBe(200);
    expect((await ask('GET', url)).status).toBe(404);
  });

  it('says when its local time is moved', async () => {
    const { body } = await ask('POST', '/api/scheduled-calls/preview', {
      cron_expression: '30 2 * * *',
      timezone: 'America/New_York',
      after: '2027-03-13T12:00:00Z',
      count: 2,
    });
    expect(body).toMatchObject({
      description: 'At 02:30',
      next_executions: [
        { utc: '2027-03-14T07:30:00.000Z', local: '2027-03-14T03:30:00.000-04:00' },
        { utc: '2027-03-15T06:30:00.000Z', local: '2027-03-15T02:30:00.000-04:00' },
      ],
    });
  });

  it('without a zone is read in the default one, with an offset as it is', async () => {
    const local = await ask('POST', '/api/scheduled-calls', once({ timezone: null }));
    expect(local.body).toMatchObject({
      timezone: 'Europe/Berlin',
      scheduled_at: `${COMING_JANUARY}-01-05T09:00:00.000Z`,
    });
    const exact = await ask(
      'POST',
      '/api/scheduled-calls',
      once({ scheduled_time: `${COMING_JANUARY}-01-05T10:00:00Z` }),
    );
    expect(exact.body).toMatchObject({
      timezone: 'America/New_York',
      scheduled_at: `${COMING_JANUARY}-01-05T10:00:00.000Z`,
    });
  });
});

describe('a recurring call', () => {
  it('is planned, described, paused, resumed and shown ahead', async () => {
    const made = await ask('POST', '/api/scheduled-calls/recurring', daily({ max_occurrences: 2 }));
    expect(made.status).toBe(201);
    expect(made.body).toMatchObject({
      type: 'recurring',
      scheduled_time: null,
      cron_description: 'At 09:00, Monday through Friday',
      max_occurrences: 2,
      occurrences: 0,
    });
    expect(made.body['next_executions']).toHaveLength(2);
    const next = made.body['next_execution_time'];
    const url = `/api/scheduled-calls/${String(made.body['id'])}`;
    expect((await ask('GET', `${url}/next-runs?count=10`)).body['next_executions']).toHaveLength(2);

    const paused = await ask('POST', `${url}/pause`);
    expect(paused.body).toMatchObject({
      status: 'paused',
      success: true,
      next_execution_time: null,
      paused_next_execution_time: next,
    });
    expect((await ask('POST', `${url}/pause`)).status).toBe(200);
    expect((await ask('GET', `${url}/next-runs`)).body['next_executions']).toEqual([]);
    const resumed = await ask('POST', `${url}/resume`);
    expect(resumed.body).toMatchObject({ status: 'scheduled', next_execution_time: next, paused_at: null });
    expect((await ask('POST', `${url}/resume`)).status).toBe(200);

    const changed = await ask('PUT', url, { cron_expression: '30 8 1 * *', max_occurrences: null });
    expect(changed.body).toMatchObject({ max_occurrences: null, cron_expression: '30 8 1 * *' });
    expect((await ask('GET', `${url}/history`)).body['executions']).toHaveLength(1);
    expect((await ask('PUT', url, { scheduled_time: `${COMING_JANUARY}-01-05 10:00:00` })).status).toBe(400);
  });

  it('is found by its next run', async () => {
    const made = await ask('POST', '/api/scheduled-calls/recurring', daily({ name: 'calendar' }));
    const next = Date.parse(String(made.body['next_execution_time']));
    const from = toInstant(next - 1_000);
    const to = toInstant(next + 1_000);
    const found = await ask(
      'GET',
      `/api/scheduled-calls?name=calendar&sort=next_execution_time&from=${from}&to=${to}`,
    );
    expect((found.body['data'] as Body[]).map(({ id }) => id)).toEqual([made.body['id']]);
  });
});

describe('a schedule under /batch/scheduled-calls', () => {
  it('is read, changed, held, armed and deleted by its id', async () => {
    const made = await ask('POST', '/api/scheduled-calls', once({ name: 'handle' }));
    const id = String(made.body['id']);
    const url = `/batch/scheduled-calls/${id}`;
    expect((await ask('GET', url)).body).toMatchObject({
      id,
      call_id: id,
      schedule_id: id,
      object: 'scheduled_call',
      name: 'handle',
      to_number: '+14155550123',
      status: 'scheduled',
      scheduled_time: `${COMING_JANUARY}-01-05 10:00:00`,
      attempts: 0,
      batch_id: null,
    });
    const changed = await ask('PUT', url, {
      name: 'late',
      from_number: '+14155550101',
      status: 'pending',
      scheduled_time: `${COMING_JANUARY}-01-06T10:00:00Z`,
    });
    expect(changed.body).toMatchObject({
      success: true,
      name: 'late',
      from_number: '+14155550101',
      status: 'pending',
      scheduled_at: `${COMING_JANUARY}-01-06T10:00:00.000Z`,
    });
    expect((await ask('GET', url)).body['status']).toBe('pending');
    expect((await ask('PUT', url, { status: 'paused' })).body['status']).toBe('paused');
    expect((await ask('GET', `/api/scheduled-calls/${id}`)).body['status']).toBe('paused');
    expect((await ask('PUT', url, { status: 'active' })).body['status']).toBe('active');
    expect((await ask('PUT', url, {})).status).toBe(200);
    expect((await ask('PUT', url, { status: 'failed' })).status).toBe(400);
    expect((await ask('PUT', url, { status: 'cancelled' })).body['status']).toBe('cancelled');
    expect((await ask('PUT', url, { status: 'scheduled' })).status).toBe(409);
    expect((await ask('DELETE', url)).body).toMatchObject({
      success: true,
      deleted: true,
      status: 'cancelled',
    });
    for (const method of ['GET', 'PUT', 'DELETE'])
      expect((await ask(method, url, method === 'PUT' ? {} : undefined)).status, method).toBe(404);
    expect((await ask('GET', `/api/scheduled-calls/${id}`)).body['status']).toBe('cancelled');
  });
});

describe('an idempotency key', () => {
  it('makes one schedule and one run, however often it is sent', async () => {
    const post = (url: string, key: string, payload: Body) =>
      service.app.server.inject({
        method: 'POST',
        url,
        headers: { 'x-api-key': TEST_KEY, 'idempotency-key': key },
        payload,
      });
    const body = daily({ name: 'twice' });
    const first = await post('/api/scheduled-calls/recurring', 'schedule-1', body);
    const again = await post('/api/scheduled-calls/recurring', 'schedule-1', body);
    expect(again.statusCode).toBe(201);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.body).toBe(first.body);
    const url = `/api/scheduled-calls/${first.json<{ id: string }>().id}/trigger`;
    const run = await post(url, 'run-1', {});
    const rerun = await post(url, 'run-1', {});
    expect(run.statusCode).toBe(200);
    expect(rerun.body).toBe(run.body);
    // Without the key, a call of it is under way.
    expect((await ask('POST', url)).status).toBe(409);
  });
});

describe('an agent', () => {
  it('is not deleted while a schedule or a batch will call people with it', async () => {
    const { id } = (await ask('POST', '/api/agents', { name: 'Busy' })).body as { id: string };
    const agent = `/api/agents/${id}`;
    const refused = { status: 409, body: { code: 'invalid_state' } };
    const made = await ask('POST', '/api/scheduled-calls/recurring', daily({ agent_id: id }));
    expect(await ask('DELETE', agent)).toMatchObject(refused);
    await ask('DELETE', `/api/scheduled-calls/${String(made.body['id'])}`);
    const { body: batch } = await ask('POST', '/batch/schedule-call', {
      to_number: ['+14155550123'],
      agent_id: id,
      timezone: 'UTC',
      scheduled_time: `${COMING_JANUARY}-01-05 10:00:00`,
    });
    expect(await ask('DELETE', agent)).toMatchObject(refused);
    await ask('DELETE', `/batch/scheduled-calls/${String(batch['id'])}`);
    expect(await ask('DELETE', agent)).toMatchObject({ status: 200, body: { deleted: true } });
  });
});

describe('the scheduler', () => {
  it('tells how it is doing, and which zones it knows', async () => {
    const { status, body } = await ask('GET', '/api/scheduler/health');
    expect(status).toBe(200);
    expect(body).toMatchObject({ status: 'healthy', failed_executions_today: 0, timezone: 'Europe/Berlin' });
    expect(Number(body['scheduled_calls_total'])).toBeGreaterThanOrEqual(
      Number(body['scheduled_calls_pending']),
    );
    const zones = (await ask('GET', '/api/timezones')).body['data'] as string[];
    expect(zones.slice(0, 2)).toEqual(['America/New_York', 'America/Chicago']);
    expect(zones).toContain('Asia/Kolkata');
  });
});
