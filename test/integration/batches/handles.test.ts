import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later, settled, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

/** A sandbox callee who does not answer. */
const ABSENT = '+15550100006';

type Body = Record<string, unknown>;

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
});
afterAll(() => service.close());

async function make(body: object = {}): Promise<BatchAnswer> {
  const wish = { to_number: ['+14155550123'], scheduled_time: later(), ...body };
  const { status, body: batch } = await service.request('POST', '/batch/schedule-call', wish);
  expect(status, JSON.stringify(batch)).toBe(200);
  return batch as BatchAnswer;
}

describe('/batch/scheduled-calls/{call_id}', () => {
  it('reads a batch, a callee and a call of its own by their ids', async () => {
    const batch = await make({ name: 'B', to_number: [{ phone_number: '+14155550123', name: 'Ada' }] });
    const callId = batch.call_ids[0]!;
    expect((await service.request('GET', `/batch/scheduled-calls/${batch.id}`)).body).toMatchObject({
      id: batch.id,
      object: 'batch',
      to_number: [{ phone_number: '+14155550123', name: 'Ada' }],
    });
    expect((await service.request('GET', `/batch/scheduled-calls/${callId}`)).body).toMatchObject({
      id: callId,
      batch_id: batch.id,
      batch_name: 'B',
      name: 'B',
      callee_name: 'Ada',
      status: 'scheduled',
      attempts: 0,
      duration: null,
      scheduled_time: batch['scheduled_time'],
    });
    expect((await service.request('GET', `/api/calls/${callId}`)).body).toMatchObject({
      status: 'scheduled',
      batch_id: batch.id,
      customer_data: { name: 'Ada' },
    });
    const { body } = await service.request('POST', '/outbound-call', {
      to_number: '+14155550124',
      scheduled_time: later(),
    });
    const { call_id: ownId } = body as { call_id: string };
    expect((await service.request('GET', `/batch/scheduled-calls/${ownId}`)).body).toMatchObject({
      id: ownId,
      batch_id: null,
      status: 'scheduled',
    });
    const { body: list } = await service.request('GET', '/batch/scheduled-calls?limit=2');
    expect((list as { data: { id: string }[] }).data.map(({ id }) => id)).toEqual([ownId, callId]);
  });

  it('is unknown to other workspaces', async () => {
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const payload = method === 'PUT' ? {} : undefined;
      expect(await service.request(method, '/batch/scheduled-calls/call_none', payload)).toMatchObject({
        status: 404,
        body: { error: 'scheduled call not found' },
      });
    }
  });

  it.each(['batch', 'callee', 'own'])('changes, holds, arms, calls off and deletes a %s', async (kind) => {
    const batch = await make();
    const own = await service.request('POST', '/outbound-call', {
      to_number: '+14155550124',
      scheduled_time: later(),
    });
    const ids = {
      batch: batch.id,
      callee: batch.call_ids[0]!,
      own: (own.body as { call_id: string }).call_id,
    };
    const path = `/batch/scheduled-calls/${ids[kind as keyof typeof ids]}`;
    const put = (body: object) => service.request('PUT', path, body);
    const time = later(40);

    expect(await put({})).toMatchObject({ status: 200, body: { success: true } });
    expect(await put({ name: 'N', from_number: '+14155550199', scheduled_time: time })).toMatchObject({
      status: 200,
      body: { name: 'N', from_number: '+14155550199', scheduled_time: time, scheduled_at: time },
    });
    expect(await put({ status: 'paused' })).toMatchObject({ status: 200, body: { status: 'paused' } });
    expect(await put({ status: 'pending' })).toMatchObject({ status: 200, body: { status: 'pending' } });
    expect((await service.request('GET', path)).body).toMatchObject({ name: 'N', status: 'pending' });
    expect(await put({ status: 'in_progress' })).toMatchObject({ status: 400 });
    expect(await put({ status: 'mood' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'status' }] },
    });
    expect(await put({ scheduled_time: 'soon' })).toMatchObject({ status: 400 });
    for (const status of ['completed', 'completed', 'canceled', 'canceled'])
      expect(await put({ status })).toMatchObject({ status: 200, body: { status } });
    expect(await put({ status: 'paused' })).toMatchObject({ status: 409 });

    expect(await service.request('DELETE', path)).toMatchObject({
      status: 200,
      body: { success: true, deleted: true, status: 'cancelled' },
    });
    expect(await service.request('GET', path)).toMatchObject({ status: 404 });
    expect(await service.request('DELETE', path)).toMatchObject({ status: 404 });
    const callId = kind === 'batch' ? batch.call_ids[0] : ids[kind as 'callee' | 'own'];
    expect((await service.request('GET', `/api/calls/${callId}`)).status).toBe(200);
  });
});

describe('a deleted recipient', () => {
  it('is gone from the batch as well, but for its counts', async () => {
    const numbers = Array.from({ length: 101 }, (_, i) => `+1415555${2_000 + i}`);
    const batch = await make({ to_number: numbers });
    expect(batch).toMatchObject({ calls_has_more: true });
    await service.request('DELETE', `/batch/scheduled-calls/${batch.call_ids[1]}`);
    for (const path of [`/batch/scheduled-calls/${batch.id}`, `/api/batches/${batch.id}`]) {
      const { body } = await service.request('GET', path);
      const { call_ids: ids, calls, to_number: callees } = body as BatchAnswer;
      expect(body).toMatchObject({ total_numbers: 101, cancelled_calls: 1, calls_has_more: false });
      expect(ids).toHaveLength(100);
      expect(ids).not.toContain(batch.call_ids[1]);
      expect(calls.map(({ call_id: id }) => id)).toEqual(ids);
      expect((callees as object[])[1]).toEqual({ phone_number: numbers[2], name: null });
    }
  });
});

describe('a handle of a live call', () => {
  const RETRIES = { max_retries: 3, retry_delay: 1, retry_on: ['no_answer', 'busy', 'timeout', 'failed'] };

  async function ring(numbers = 1): Promise<{ batch: BatchAnswer; callId: string; path: string }> {
    const batch = await make({
      to_number: [ABSENT, ...Array.from({ length: numbers - 1 }, (_, i) => `+1415555${1_000 + i}`)],
      scheduled_time: null,
      max_concurrency: 1,
      retry_policy: RETRIES,
    });
    const callId = batch.call_ids[0]!;
    await once(async () => {
      const { body } = await service.request('GET', `/api/calls/${callId}`);
      expect(body).toMatchObject({ status: 'connecting' });
    });
    return { batch, callId, path: `/batch/scheduled-calls/${callId}` };
  }

  it('is hung up by a cancellation, without a further attempt', async () => {
    const { batch, path } = await ring();
    expect(await service.request('PUT', path, { status: 'paused' })).toMatchObject({ status: 409 });
    expect(await service.request('PUT', path, { status: 'cancelled' })).toMatchObject({ status: 200 });
    expect(await settled(service, batch.id)).toMatchObject({ cancelled_calls: 1, pending_calls: 0 });
    expect((await service.request('GET', path)).body).toMatchObject({ status: 'cancelled', attempts: 1 });
  });

  it('keeps its time and its number: a new one is 409, the present one no change', async () => {
    const { batch, callId, path } = await ring();
    const { from_number, scheduled_time } = (await service.request('GET', path)).body as Body;
    const put = (body: object) => service.request('PUT', path, body);
    expect(await put({ name: 'Late', scheduled_time: later() })).toMatchObject({
      status: 409,
      body: {
        code: 'invalid_state',
        message:
          'The scheduled_time of a call that is in_progress cannot be changed; schedule a new call instead.',
      },
    });
    expect((await put({ from_number: '+14155550177' })).status).toBe(409);
    expect(
      await put({ name: 'Same', from_number, ...(scheduled_time ? { scheduled_time } : {}) }),
    ).toMatchObject({
      status: 200,
      body: { name: 'Same', status: 'in_progress' },
    });
    await service.request('POST', `/api/calls/${callId}/disconnect`);
    expect(await settled(service, batch.id)).toMatchObject({ cancelled_calls: 1, pending_calls: 0 });
  });

  it('shows its own state when its batch was set to another one', async () => {
    const { batch } = await ring(2);
    const path = `/batch/scheduled-calls/${batch.id}`;
    const told = [
      ['paused', 'paused'],
      ['scheduled', 'in_progress'],
      ['paused', 'paused'],
      ['active', 'active'],
      ['completed', 'completed'],
    ];
    for (const [word, status] of told)
      expect(await service.request('PUT', path, { status: word })).toMatchObject({
        status: 200,
        body: { status },
      });
    await service.request('POST', `/api/calls/${batch.call_ids[0]}/disconnect`);
    expect(await settled(service, batch.id)).toMatchObject({ status: 'completed', cancelled_calls: 2 });
  });

  it('is hung up when its batch is deleted, and waiting calls are cancelled', async () => {
    const { batch, callId } = await ring(3);
    expect(await service.request('DELETE', `/batch/scheduled-calls/${batch.id}`)).toMatchObject({
      status: 200,
      body: { deleted: true, cancelled_calls: 3 },
    });
    expect(await service.request('GET', `/api/batches/${batch.id}`)).toMatchObject({ status: 404 });
    for (const id of [callId, ...batch.call_ids])
      await once(async () => {
        const { body } = await service.request('GET', `/api/calls/${id}`);
        expect(body).toMatchObject({ status: 'cancelled' });
      });
  });
});

describe('what is refused', () => {
  it.each([
    [{ name: 7 }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ from_number: 'nobody' }, 'from_number'],
    [{ scheduled_time: 7 }, 'scheduled_time'],
    [{ scheduled_time: '2020-01-01T00:00:00Z' }, 'scheduled_time'],
    [{ scheduled_time: '2026-02-30T00:00:00Z' }, 'scheduled_time'],
    [{ status: 'failed' }, 'status'],
    [{ status: 7 }, 'status'],
    [[], 'body'],
  ])('of a change: %j', async (body, field) => {
    const { id, call_ids: ids } = await make();
    for (const handle of [id, ids[0]!])
      expect(await service.request('PUT', `/batch/scheduled-calls/${handle}`, body)).toMatchObject({
        status: 400,
        body: { details: [{ field }] },
      });
  });

  it.each([
    ['/batch/scheduled-calls?limit=0', 'query.limit'],
    ['/batch/scheduled-calls?cursor=odd', 'query.cursor'],
    ['/batch/scheduled-calls?created_after=soon', 'query.created_after'],
    ['/api/batches?limit=x', 'query.limit'],
    ['/api/batches?cursor=odd', 'query.cursor'],
    ['/api/batches?status=odd', 'query.status'],
    ['/api/batches?created_before=soon', 'query.created_before'],
    [`/api/batches?q=${'x'.repeat(201)}`, 'query.q'],
    ['/api/batches/none/calls?status=odd', 'query.status'],
    ['/api/batches/none/calls?limit=-1', 'query.limit'],
  ])('of a list: %s', async (path, field) => {
    const { status, body } = await service.request('GET', path);
    expect(status).toBe(400);
    const [detail] = (body as { details: { field: string }[] }).details;
    expect(detail!.field.replace(/\[\d+\]$/, '')).toBe(field);
  });

  it.each([
    ['max_concurrency=many', 'max_concurrency'],
    ['retry_policy=often', 'retry_policy'],
    ['record_call=perhaps', 'record_call'],
    ['scheduled_time=soon', 'scheduled_time'],
    ['from_number=nobody', 'from_number'],
    ['call_window={"start":"9"}', 'call_window.start'],
    ['dry_run=perhaps', 'query.dry_run'],
  ])('of a table: %s', async (query, field) => {
    const answer = await service.app.server.inject({
      method: 'POST',
      url: `/api/batches/import?${encodeURI(query)}`,
      headers: { 'x-api-key': TEST_KEY, 'content-type': 'text/csv' },
      payload: 'phone\n+14155550123\n',
    });
    expect(answer.statusCode, answer.body).toBe(400);
    expect(answer.json<{ details: { field: string }[] }>().details.map((detail) => detail.field)).toContain(
      field,
    );
  });

  it.each([
    [{ to_number: [] }, 'to_number'],
    [{ to_number: ['+14155550123'], max_concurrency: 0 }, 'max_concurrency'],
    [{ to_number: ['+14155550123'], scheduled_time: 'soon' }, 'scheduled_time'],
    [{ to_number: ['+14155550123'], call_window: {} }, 'call_window.start'],
  ])('of a look ahead: %j', async (body, field) => {
    const answer = await service.request('POST', '/api/batches/preflight', body);
    expect(answer.status).toBe(400);
    const { details } = answer.body as { details: { field: string }[] };
    expect(details.map((detail) => detail.field)).toContain(field);
  });

  it.each([
    ['/batch/schedule-call', 'application/json'],
    ['/api/batches/preflight', 'application/json'],
    ['/api/batches/import', 'text/csv'],
  ])('of %s: a body of more than 10 MB, and one that has no bytes', async (url, type) => {
    const send = (payload: string) =>
      service.app.server.inject({
        method: 'POST',
        url,
        headers: { 'x-api-key': TEST_KEY, 'content-type': type },
        payload,
      });
    expect((await send('x'.repeat(10 * 1024 * 1024 + 1))).statusCode).toBe(413);
    expect((await send('')).statusCode).toBe(400);
  });
});
