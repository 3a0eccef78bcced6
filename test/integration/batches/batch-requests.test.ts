import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { encodeCursor } from '#store/page.js';
import { later, type BatchAnswer } from '#test/support/batches.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

/** In the future: nothing here is ever dialled. */
const LATER = '2099-01-01T00:00:00Z';

interface Refusal {
  error: string;
  code: string;
  details: { field: string; message: string }[];
}

let service: TestService;
beforeAll(async () => {
  service = await buildTestService();
});
afterAll(() => service.close());

const good = () => ({ to_number: ['+14155550123'], scheduled_time: later() });

async function refusalOf(body: unknown): Promise<{ status: number } & Refusal> {
  const answer = await service.request('POST', '/batch/schedule-call', body);
  return { status: answer.status, ...(answer.body as Refusal) };
}

async function make(body: object = {}): Promise<BatchAnswer> {
  const { status, body: batch } = await service.request('POST', '/batch/schedule-call', {
    ...good(),
    ...body,
  });
  expect(status, JSON.stringify(batch)).toBe(200);
  return batch as BatchAnswer;
}

describe('POST /batch/schedule-call', () => {
  it.each([
    [{}, 'to_number'],
    [{ to_number: [] }, 'to_number'],
    [{ to_number: 'x' }, 'to_number'],
    [{ to_number: ['12ab'] }, 'to_number[0].phone_number'],
    [{ to_number: [{ phone_number: 7 }] }, 'to_number[0].phone_number'],
    [{ to_number: ['+14155550123', {}] }, 'to_number[1].phone_number'],
    [{ to_number: [{ phone_number: '+14155550123', name: 7 }] }, 'to_number[0].name'],
    [{ to_number: [{ phone_number: '+14155550123', customer_data: 7 }] }, 'to_number[0].customer_data'],
    [{ ...good(), from_number: 'nobody' }, 'from_number'],
    [{ ...good(), scheduled_time: 'tomorrow' }, 'scheduled_time'],
    [{ ...good(), scheduled_time: LATER }, 'scheduled_time'],
    [{ ...good(), scheduled_time: 7 }, 'scheduled_time'],
    [{ ...good(), name: 7 }, 'name'],
    [{ ...good(), metadata: [] }, 'metadata'],
    [{ ...good(), timezone: 'Mars/Olympus' }, 'timezone'],
    [{ ...good(), max_concurrency: 0 }, 'max_concurrency'],
    [{ ...good(), max_concurrency: 1.5 }, 'max_concurrency'],
    [{ ...good(), call_window: { start: '20:00', end: '09:00' } }, 'call_window.end'],
    [{ ...good(), retry_policy: { max_retries: 11 } }, 'retry_policy.max_retries'],
    [{ ...good(), retry_policy: { retry_on: ['mood'] } }, 'retry_policy.retry_on[0]'],
    [{ ...good(), retry_policy: { retry_delay: 0 } }, 'retry_policy.retry_delay'],
    [{ ...good(), retry_policy: { exponential_backoff: 'yes' } }, 'retry_policy.exponential_backoff'],
    [{ ...good(), retry_policy: 3 }, 'retry_policy'],
    [{ ...good(), call_window: { start: '9', end: '17:00' } }, 'call_window.start'],
    [{ ...good(), call_window: { start: '09:00', end: '17:00', days: ['SOON'] } }, 'call_window.days[0]'],
    [{ ...good(), call_window: { start: '09:00', end: '17:00', timezone: 'UTC+3' } }, 'call_window.timezone'],
    [{ ...good(), agent_id: '' }, 'agent_id'],
    [{ ...good(), agent_id: 7 }, 'agent_id'],
    [{ ...good(), name: 'x'.repeat(201) }, 'name'],
    [{ ...good(), max_concurrency: 1_001 }, 'max_concurrency'],
    [{ ...good(), record_call: 'yes' }, 'record_call'],
    [{ ...good(), record_storage: 'moon' }, 'record_storage'],
    [{ ...good(), enable_transcription: 1 }, 'enable_transcription'],
    [{ ...good(), transcription_provider: 7 }, 'transcription_provider'],
    [{ ...good(), timeout_seconds: 1 }, 'timeout_seconds'],
    [{ ...good(), silence_timeout_seconds: 4 }, 'silence_timeout_seconds'],
    [{ ...good(), timeout_seconds: 60, silence_timeout_seconds: 60 }, 'silence_timeout_seconds'],
    [{ to_number: [{ phone_number: '+14155550123', metadata: [] }] }, 'to_number[0].metadata'],
    [{ to_number: [null] }, 'to_number[0]'],
    [null, 'body'],
    [[], 'body'],
  ])('refuses %j and names %s', async (body, field) => {
    const refusal = await refusalOf(body);
    expect(refusal.status).toBe(400);
    expect(refusal.details.map((detail) => detail.field)).toContain(field);
  });

  it('names every bad row at once, and refuses the batch whole', async () => {
    const rows = Array.from({ length: 40 }, (_, i) => (i % 2 ? 'nonsense' : `+1415555${1000 + i}`));
    const refusal = await refusalOf({ to_number: rows });
    expect(refusal).toMatchObject({ status: 400, error: 'invalid phone number format' });
    expect(refusal.details.map((detail) => detail.field)).toEqual(
      Array.from({ length: 20 }, (_, i) => `to_number[${2 * i + 1}].phone_number`),
    );
    expect((await service.request('GET', '/api/batches')).body).toMatchObject({ data: [] });
    expect((await service.request('GET', '/api/calls')).body).toMatchObject({ data: [] });
  });

  it('names a time that is none beside all else that is wrong', async () => {
    const { details } = await refusalOf({
      to_number: ['12ab'],
      scheduled_time: 'tomorrow',
      max_concurrency: 0,
    });
    expect(details.map(({ field }) => field)).toEqual([
      'scheduled_time',
      'max_concurrency',
      'to_number[0].phone_number',
    ]);
  });

  it('names every bad row, however many they are', async () => {
    const rows = Array.from({ length: 5_000 }, (_, i) => (i % 10 < 3 ? 'nonsense' : `+1415${1_000_000 + i}`));
    const { status, details } = await refusalOf({ to_number: rows });
    expect(status).toBe(400);
    expect(details).toHaveLength(101);
    const ranges = Array.from({ length: 500 }, (_, i) => `${10 * i}-${10 * i + 2}`);
    expect(details[100]).toEqual({
      field: 'to_number',
      code: 'invalid_rows',
      message: `has invalid rows: ${ranges.join(', ')}`,
    });
  });

  it('refuses what is no JSON, too many numbers, and too large a body', async () => {
    const send = (payload: string | Buffer) =>
      service.app.server.inject({
        method: 'POST',
        url: '/batch/schedule-call',
        headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/json' },
        payload,
      });
    expect((await send('{')).json()).toMatchObject({ status: 400, code: 'invalid_json' });
    expect((await send('')).json()).toMatchObject({ status: 400 });
    const flawed =
      '{"to_number":["+14155550123",{"phone_number":"+14155550124","name":"\\u0000"}],' +
      '"name":"a\\ud800b","metadata":{"size":1e400}}';
    expect((await send(flawed)).json()).toMatchObject({
      status: 400,
      details: [
        { field: 'to_number[1].name', code: 'invalid_character' },
        { field: 'name', code: 'invalid_character' },
        { field: 'metadata.size', code: 'too_big' },
      ],
    });
    expect((await send('['.repeat(100_000))).statusCode).toBe(400);
    const latin1 = Buffer.from('{"to_number":["+14155550123"],"name":"Zoë"}', 'latin1');
    expect((await send(latin1)).json()).toMatchObject({ status: 400, details: [{ field: 'body' }] });
    const tooMany = { to_number: Array.from({ length: 10_001 }, (_, i) => `+1415${1_000_000 + i}`) };
    expect((await send(JSON.stringify(tooMany))).json()).toMatchObject({
      status: 400,
      details: [{ field: 'to_number', message: 'must have at most 10000 items' }],
    });
    expect((await send('x'.repeat(10 * 1024 * 1024 + 1))).statusCode).toBe(413);
  });

  it('does not know agents that are not there', async () => {
    expect(await refusalOf({ ...good(), agent_id: 'agent_none' })).toMatchObject({
      status: 404,
      error: 'agent does not exist',
    });
  });

  it('gives the same batch to a repeated request, and refuses another one under the same key', async () => {
    const send = (body: object) =>
      service.app.server.inject({
        method: 'POST',
        url: '/batch/schedule-call',
        headers: { 'x-api-key': TEST_KEY, 'idempotency-key': 'once' },
        payload: body,
      });
    const body = good();
    const first = await send(body);
    const second = await send(body);
    expect(second.headers['idempotent-replayed']).toBe('true');
    expect(second.json()).toEqual(first.json());
    expect((await send({ ...body, name: 'other' })).statusCode).toBe(422);
  });

  it('takes ten thousand numbers whole', async () => {
    const batch = await make({
      to_number: Array.from({ length: 10_000 }, (_, i) => `+1415${1_000_000 + i}`),
    });
    expect(batch).toMatchObject({ total_numbers: 10_000, calls_has_more: true });
    expect(batch.call_ids).toHaveLength(100);
    const { body } = await service.request('GET', `/api/batches/${batch.id}/calls?limit=200`);
    const page = body as { data: { phone_number: string }[]; has_more: boolean; next_cursor: string };
    expect(page.data).toHaveLength(200);
    expect(page.data[199]).toMatchObject({ phone_number: '+14151000199' });
    const next = await service.request(
      'GET',
      `/api/batches/${batch.id}/calls?limit=1&cursor=${page.next_cursor}`,
    );
    expect(next.body).toMatchObject({ data: [{ phone_number: '+14151000200' }] });
    const ofAnother = encodeCursor({ createdAt: 2 ** 31, id: batch.id });
    const refused = await service.request('GET', `/api/batches/${batch.id}/calls?cursor=${ofAnother}`);
    expect(refused).toMatchObject({ status: 400, body: { code: 'invalid_cursor' } });
    await service.request('DELETE', `/batch/scheduled-calls/${batch.id}`);
  });
});

describe('/api/batches', () => {
  it('lists the calls of a batch that are scheduled, by either word for it', async () => {
    const { id, call_ids: calls } = await make({ to_number: ['+14155550123', '+14155550124'] });
    await service.request('PUT', `/batch/scheduled-calls/${calls[0]}`, { status: 'pending' });
    for (const word of ['pending', 'scheduled', 'completed,pending']) {
      const listed = await service.request('GET', `/api/batches/${id}/calls?status=${word}`);
      expect(listed.body).toMatchObject({ data: [{ status: 'pending' }, { status: 'scheduled' }] });
    }
  });

  it('lists batches by state and name, and takes them through their states', async () => {
    const { id } = await make({ name: 'Winter 100%' });
    const found = await service.request('GET', '/api/batches?status=scheduled&q=100%25');
    expect((found.body as { data: BatchAnswer[] }).data.map((batch) => batch.id)).toEqual([id]);
    const large = await make({ to_number: Array.from({ length: 12 }, (_, i) => `+1415555${1_000 + i}`) });
    expect(large.calls).toHaveLength(12);
    const listed = (await service.request('GET', '/api/batches?limit=1')).body as { data: BatchAnswer[] };
    expect(listed.data[0]).toMatchObject({ id: large.id, total_numbers: 12, calls_has_more: true });
    expect(listed.data[0]!.calls).toEqual(large.calls.slice(0, 10));
    for (const [action, status] of [
      ['pause', 'paused'],
      ['pause', 'paused'],
      ['resume', 'scheduled'],
      ['resume', 'scheduled'],
      ['cancel', 'cancelled'],
      ['cancel', 'cancelled'],
    ] as const) {
      expect(await service.request('POST', `/api/batches/${id}/${action}`)).toMatchObject({
        status: 200,
        body: { id, status },
      });
    }
    expect(await service.request('POST', `/api/batches/${id}/resume`)).toMatchObject({ status: 409 });
    expect(await service.request('POST', '/api/batches/none/pause')).toMatchObject({ status: 404 });
    expect(await service.request('GET', '/api/batches/none')).toMatchObject({ status: 404 });
    expect(await service.request('GET', '/api/batches/none/calls')).toMatchObject({ status: 404 });
    expect(await service.request('GET', '/api/batches/none/results.csv')).toMatchObject({ status: 404 });
    expect(await service.request('GET', '/api/batches?status=odd')).toMatchObject({ status: 400 });
  });
});
