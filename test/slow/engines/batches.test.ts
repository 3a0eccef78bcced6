import { parse } from 'csv-parse/sync';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { later, settled, type BatchAnswer } from '#test/support/batches.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { openPostgres } from '#test/support/postgres.js';

/** Sandbox callees whose end takes no talk. */
const AT_ONCE = '+15550100009';
const BUSY = '+15550100005';
const UNKNOWN = '+15550100008';

const postgres = await openPostgres();

describe.skipIf(postgres.isMissing)('the whole path of a batch on PostgreSQL', () => {
  let service: TestService;
  beforeAll(async () => {
    const DATABASE_URL = await postgres.migratedDatabase();
    service = await buildTestService({ listen: true, environment: { DATABASE_URL } });
  });
  afterAll(() => service?.close());

  const post = async (path: string, body?: object) => {
    const { status, body: answer } = await service.request('POST', path, body);
    expect(status, JSON.stringify(answer)).toBeLessThan(300);
    return answer as BatchAnswer;
  };

  it('is asked for, run, told in a table, and tried again', async () => {
    const made = await post('/batch/schedule-call', {
      name: 'Zoë & co',
      to_number: [
        AT_ONCE,
        BUSY,
        { phone_number: UNKNOWN, name: 'Ada', customer_data: { plan: 'gold' } },
        BUSY,
      ],
      retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] },
    });
    expect(await settled(service, made.id)).toMatchObject({
      status: 'completed',
      successfully_called: 1,
      failed_calls: 2,
      skipped_calls: 1,
      success_rate: 0.25,
    });
    const table = await service.app.server.inject({
      url: `/api/batches/${made.id}/results.csv`,
      headers: { 'x-api-key': TEST_KEY },
    });
    const rows: Record<string, string>[] = parse(table.body, { columns: true });
    expect(rows.map((row) => [row['status'], row['reason'], row['attempts']])).toEqual([
      ['completed', '', '1'],
      ['failed', 'busy', '2'],
      ['failed', 'invalid_number', '1'],
      ['cancelled', 'duplicate', '0'],
    ]);
    expect(await post(`/api/batches/${made.id}/retry-failed`)).toMatchObject({ requeued: 2 });
    expect(await settled(service, made.id)).toMatchObject({ failed_calls: 2, successfully_called: 1 });
  });

  it('is found, held, changed, called off and deleted by its handles', async () => {
    const made = await post('/batch/schedule-call', {
      name: '50%_off',
      to_number: ['+14155550123', '+14155550124'],
      scheduled_time: later(),
    });
    const found = await service.request('GET', `/api/batches?q=${encodeURIComponent('%_OFF')}`);
    expect(found.body).toMatchObject({ data: [{ id: made.id }] });
    expect(await post(`/api/batches/${made.id}/pause`)).toMatchObject({ status: 'paused' });
    const paused = `/api/batches/${made.id}/calls?status=paused`;
    expect((await service.request('GET', paused)).body).toMatchObject({ data: [{}, { status: 'paused' }] });
    const put = (id: string, body: object) => service.request('PUT', `/batch/scheduled-calls/${id}`, body);
    const time = later(40);
    expect(await put(made.id, { scheduled_time: time, status: 'pending' })).toMatchObject({
      status: 200,
      body: { status: 'pending', scheduled_time: time, calls: [{ scheduled_time: time }, {}] },
    });
    const [first, second] = made.call_ids;
    expect(await put(first!, { status: 'canceled' })).toMatchObject({ body: { status: 'canceled' } });
    expect((await service.request('GET', '/batch/scheduled-calls?limit=2')).body).toMatchObject({
      data: [{ id: second }, { id: first, status: 'canceled' }],
    });
    const gone = await service.request('DELETE', `/batch/scheduled-calls/${made.id}`);
    expect(gone.body).toMatchObject({ deleted: true, cancelled_calls: 1, status: 'cancelled' });
    expect((await service.request('GET', `/batch/scheduled-calls/${second}`)).status).toBe(404);
  });

  it('is foreseen, with all ten thousand numbers', async () => {
    await post('/api/suppressions', { phone_number: '+14151000007', reason: 'opt_out' });
    const to_number = Array.from({ length: 10_000 }, (_, i) => `+1415${1_000_000 + i}`);
    expect(await post('/api/batches/preflight', { to_number, max_concurrency: 50 })).toMatchObject({
      callable_numbers: 9_999,
      suppressed: { count: 1, rows: [{ row: 8 }] },
    });
  });
});

it.skipIf(postgres.isMissing)(
  'on PostgreSQL, too, a batch waits for somebody after hours without a service',
  async () => {
    const DATABASE_URL = await postgres.migratedDatabase();
    const open = () => buildTestService({ listen: true, environment: { DATABASE_URL } });
    const before = await open();
    const inAnHour = toInstant(systemClock.wallMs() + 3_600_000);
    const made = await before.request('POST', '/batch/schedule-call', {
      scheduled_time: inAnHour,
      to_number: [AT_ONCE],
    });
    const { id } = made.body as BatchAnswer;
    await before.close();
    const database = new pg.Client(DATABASE_URL);
    await database.connect();
    for (const [table, column] of [
      ['housekeeping', 'reached_at'],
      ['batches', 'scheduled_at'],
      ['batches', 'feed_at'],
    ])
      await database.query(`update ${table} set ${column} = ${column} - 10800000`);
    await database.end();

    const after = await open();
    onTestFinished(() => after.close());
    const shown = async () => (await after.request('GET', `/api/batches/${id}`)).body as BatchAnswer;
    expect(await shown()).toMatchObject({ status: 'paused', pending_calls: 1 });
    await after.request('POST', `/api/batches/${id}/resume`);
    expect(await settled(after, id)).toMatchObject({ status: 'completed', successfully_called: 1 });
  },
);
