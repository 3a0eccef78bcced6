import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { keptEvents } from '#test/support/kept-events.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { later, settled, type BatchAnswer } from '#test/support/batches.js';

/** Sandbox callees whose calls end without a talk. */
const AT_ONCE = '+15550100009';
const BUSY = '+15550100005';
const UNKNOWN = '+15550100008';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
});
afterAll(() => service.close());

describe('a batch in the sandbox network', () => {
  it('calls everybody once, counts them, tells of it, and gives out its results', async () => {
    const asked = {
      to_number: [
        AT_ONCE,
        { phone_number: BUSY, name: '=cmd()' },
        { phone_number: UNKNOWN, name: 'Ada' },
        BUSY,
      ],
      name: 'First',
      metadata: { campaign: 'x' },
    };
    const { status, body } = await service.request('POST', '/batch/schedule-call', asked);
    const made = body as BatchAnswer;
    expect(status).toBe(200);
    expect(made).toMatchObject({ success: true, object: 'batch', status: 'scheduled', name: 'First' });
    expect(made.call_ids).toHaveLength(4);

    const batch = await settled(service, made.id);
    expect(batch).toMatchObject({
      status: 'completed',
      total_numbers: 4,
      successfully_called: 1,
      failed_calls: 2,
      skipped_calls: 1,
      success_rate: 0.25,
      pending_calls: 0,
      live_calls: 0,
      custom_metadata: { campaign: 'x' },
    });
    expect(batch.calls.map((call) => call.status)).toEqual(['completed', 'failed', 'failed', 'cancelled']);

    const { body: call } = await service.request('GET', `/api/calls/${made.call_ids[1]}`);
    expect(call).toMatchObject({ status: 'failed', ended_reason: 'busy', batch_id: made.id, to_phone: BUSY });

    const table = await service.app.server.inject({
      url: `/api/batches/${made.id}/results.csv`,
      headers: { 'x-api-key': TEST_KEY },
    });
    expect(table.headers['content-type']).toContain('text/csv');
    const rows: Record<string, string>[] = parse(table.body, { columns: true });
    expect(rows.map((row) => [row['phone_number'], row['status'], row['reason'], row['name']])).toEqual([
      [AT_ONCE, 'completed', '', ''],
      [BUSY, 'failed', 'busy', `'=cmd()`],
      [UNKNOWN, 'failed', 'invalid_number', 'Ada'],
      [BUSY, 'cancelled', 'duplicate', ''],
    ]);

    const events = keptEvents(service.dataDir, made.id);
    expect(events.map((event) => event.event_type)).toEqual([
      'batch.initiated',
      'batch.in_progress',
      'batch.completed',
    ]);
    expect(events.at(-1)!.data).toMatchObject({
      batch_name: 'First',
      status: 'completed',
      total_numbers: 4,
      successfully_called: 1,
      failed_calls: 2,
      success_rate: 0.25,
      custom_metadata: { campaign: 'x' },
    });
  });

  it('retries by its policy, with further calls under the same handle', async () => {
    const { body } = await service.request('POST', '/batch/schedule-call', {
      to_number: [BUSY],
      retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] },
    });
    const made = body as BatchAnswer;
    const batch = await settled(service, made.id);
    expect(batch).toMatchObject({ status: 'failed', failed_calls: 1, success_rate: 0 });
    const { body: handle } = await service.request('GET', `/batch/scheduled-calls/${made.call_ids[0]}`);
    expect(handle).toMatchObject({
      attempts: 2,
      status: 'failed',
      reason: 'busy',
      error: 'the number is busy',
    });
    const { last_call_id: lastCallId } = handle as { last_call_id: string };
    expect(lastCallId).not.toBe(made.call_ids[0]);
    expect((await service.request('GET', `/api/calls/${lastCallId}`)).body).toMatchObject({
      ended_reason: 'busy',
      batch_id: made.id,
    });

    const retry = () =>
      service.app.server.inject({
        method: 'POST',
        url: `/api/batches/${made.id}/retry-failed`,
        headers: { 'x-api-key': TEST_KEY, 'idempotency-key': 'once more' },
      });
    expect((await retry()).json()).toMatchObject({ requeued: 1 });
    expect(await settled(service, made.id)).toMatchObject({ status: 'failed', failed_calls: 1 });
    const { body: after } = await service.request('GET', `/batch/scheduled-calls/${made.call_ids[0]}`);
    expect(after).toMatchObject({ attempts: 3 });
    // A repeated request gets the same answer and requeues nothing.
    expect((await retry()).json()).toMatchObject({ requeued: 1 });
    expect(await settled(service, made.id)).toMatchObject({ status: 'failed', failed_calls: 1 });
    expect((await service.request('GET', `/batch/scheduled-calls/${made.call_ids[0]}`)).body).toEqual(after);
  });

  it('does not call whom the suppression list names', async () => {
    await service.request('POST', '/api/suppressions', { phone_number: '+15550109999', reason: 'opt_out' });
    const { body } = await service.request('POST', '/batch/schedule-call', {
      to_number: ['+15550109999', AT_ONCE],
    });
    const made = body as BatchAnswer;
    const batch = await settled(service, made.id);
    expect(batch).toMatchObject({ status: 'completed', skipped_calls: 1, successfully_called: 1 });
    expect((await service.request('GET', `/api/calls/${made.call_ids[0]}`)).body).toMatchObject({
      status: 'failed',
      ended_reason: 'suppressed',
    });
  });

  it('skips numbers that are suppressed before their turn', async () => {
    const [left, called] = ['+15550170001', '+15550170002'];
    const { body } = await service.request('POST', '/batch/schedule-call', {
      to_number: [left, called],
      scheduled_time: later(),
    });
    const made = body as BatchAnswer;
    await service.request('POST', '/api/suppressions', { phone_number: left, reason: 'opt_out' });
    const look = async () => (await service.request('GET', `/api/batches/${made.id}`)).body as BatchAnswer;

    await expect.poll(look).toMatchObject({
      status: 'scheduled',
      skipped_calls: 1,
      pending_calls: 1,
    });
    expect((await service.request('GET', `/api/calls/${made.call_ids[0]}`)).body).toMatchObject({
      status: 'failed',
      ended_reason: 'suppressed',
    });
    await service.request('POST', `/api/batches/${made.id}/cancel`);
  });
});
