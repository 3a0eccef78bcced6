import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { z } from 'zod';
import { executionHistory, scheduleList } from '#http/routes/scheduled-call-shapes.js';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { scheduleResource } from '#schedules/schedule-resource.js';
import { later } from '#test/support/batches.js';
import { once, told } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { Receiver, trustedCertificate } from '#test/support/receiver.js';

let service: TestService;
let receiver: Receiver;
let agentId: string;

beforeAll(async () => {
  const { certificate, caFile } = await trustedCertificate();
  receiver = await Receiver.open(certificate);
  service = await buildTestService({ listen: true, environment: { WEBHOOK_CA_FILE: caFile } });
  const { body } = await service.request('POST', '/api/agents', { name: 'Receptionist' });
  agentId = (body as { id: string }).id;
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function make(path: string, wish: Record<string, unknown>) {
  const { status, body } = await service.request('POST', `/api/scheduled-calls${path}`, {
    agent_id: agentId,
    ...wish,
  });
  expect(status).toBe(201);
  return scheduleResource.parse(body);
}

describe('a schedule whose time has come', () => {
  it('is dialled, retried, and announced with a signature of its own secret', async () => {
    const made = await make('', {
      // This number is always busy.
      phone_number: '+15550100005',
      scheduled_time: toInstant(systemClock.wallMs()),
      name: 'Follow-up',
      metadata: { order: 7 },
      retry_policy: { max_retries: 1, retry_delay: 1, retry_on: ['busy'] },
      webhook_url: `${receiver.url}/hook`,
    });
    await receiver.until(2);
    const notes = receiver.received.map(({ headers, body }) => {
      const digest = createHmac('sha256', made.webhook_secret!).update(body).digest('hex');
      expect(headers['x-service-signature']).toBe(digest);
      return JSON.parse(body) as { event_type: string; data: Record<string, unknown> };
    });
    expect(notes.map(({ event_type: type }) => type)).toEqual([
      'scheduled_call.started',
      'scheduled_call.failed',
    ]);
    const url = `/api/scheduled-calls/${made.id}`;
    const { executions } = await told(service.request, `${url}/history`, executionHistory);
    expect(executions).toMatchObject([
      { status: 'failed', error: 'busy', attempt: 1, trigger: 'schedule', reason: null, duration: 0 },
      { status: 'failed', error: 'busy', attempt: 2, trigger: 'retry', reason: 'busy', duration: 0 },
    ]);
    expect(notes[1]!.data).toMatchObject({
      schedule_id: made.id,
      execution_id: executions[1]!.id,
      call_id: executions[1]!.call_id,
      name: 'Follow-up',
      error: 'busy',
      metadata: { order: 7 },
    });
    expect(await told(service.request, url, scheduleResource)).toMatchObject({
      status: 'failed',
      last_status: 'failed',
      call_id: executions[1]!.call_id,
      next_execution_time: null,
    });
    const { body } = await service.request('GET', `/api/calls/${executions[1]!.call_id}`);
    expect(body).toMatchObject({ schedule_id: made.id, ended_reason: 'busy' });
  });
});

describe('a schedule by its handle among the calls of batches', () => {
  const now = () => toInstant(systemClock.wallMs());
  const handle = (id: string) => `/batch/scheduled-calls/${id}`;
  const shown = async (id: string) => (await service.request('GET', handle(id))).body;

  it('cannot be paused or closed while its phone rings, but can be hung up', async () => {
    const { id } = await make('', { phone_number: '+15550100006', scheduled_time: now() });
    await once(async () =>
      expect(await shown(id)).toMatchObject({ status: 'in_progress', last_call_id: expect.any(String) }),
    );
    const { last_call_id: callId } = (await shown(id)) as { last_call_id: string };
    await once(async () =>
      expect((await service.request('GET', `/api/calls/${callId}`)).body).toMatchObject({
        status: 'connecting',
      }),
    );
    for (const status of ['paused', 'scheduled', 'completed'])
      expect((await service.request('PUT', handle(id), { status })).status, status).toBe(409);
    expect(await shown(id)).toMatchObject({ status: 'in_progress' });
    const { body: before } = await service.request('GET', `/api/calls/${callId}`);
    expect(before).toMatchObject({ status: 'connecting' });
    expect((await service.request('PUT', handle(id), { status: 'cancelled' })).status).toBe(200);
    await once(async () =>
      expect((await service.request('GET', `/api/calls/${callId}`)).body).toMatchObject({
        status: 'cancelled',
      }),
    );
  });

  it('shows why the number was not reached until it is armed again', async () => {
    const { id } = await make('', { phone_number: '+15550100005', scheduled_time: now() });
    await once(async () =>
      expect(await shown(id)).toMatchObject({ status: 'failed', reason: 'busy', error: expect.any(String) }),
    );
    const put = await service.request('PUT', handle(id), { scheduled_time: later() });
    expect(put.body).toMatchObject({ status: 'scheduled', attempts: 1, reason: null, error: null });
  });
});

describe('the list of schedules', () => {
  it('goes on page by page, newest first or soonest first, and is searched', async () => {
    const crons = ['0 9 * * *', '0 7 * * *', '0 8 * * *'];
    for (const cron_expression of crons)
      await make('/recurring', {
        cron_expression,
        timezone: 'Asia/Tokyo',
        phone_number: '+14155550199',
        name: `Page of ${cron_expression}`,
      });
    const pages = async (query: string) => {
      const found: string[] = [];
      for (let cursor: string | null = ''; cursor !== null;) {
        const more = cursor === '' ? '' : `&cursor=${encodeURIComponent(cursor)}`;
        const path = `/api/scheduled-calls?q=page%20of&limit=2&${query}${more}`;
        const page: z.infer<typeof scheduleList> = await told(service.request, path, scheduleList);
        found.push(...page.data.map((schedule) => schedule.cron_expression!));
        cursor = page.next_cursor;
      }
      return found;
    };
    expect(await pages('status=scheduled,paused')).toEqual(crons.toReversed());
    const soonest = await pages('sort=next_execution_time&phone_number=+14155550199');
    // Where the day begins depends on when the test runs; the order round the clock does not.
    const first = soonest.indexOf('0 7 * * *');
    expect([...soonest.slice(first), ...soonest.slice(0, first)]).toEqual([
      '0 7 * * *',
      '0 8 * * *',
      '0 9 * * *',
    ]);
    expect(await pages('agent_id=agent_nobody')).toEqual([]);
    expect(await pages('type=one_time')).toEqual([]);
  });
});
