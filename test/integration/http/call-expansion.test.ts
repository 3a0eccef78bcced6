import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { encodeCursor } from '#store/page.js';
import { placeCall } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

const HOUR_MS = 3_600_000;

let service: TestService;
let agentId: string;
let path: string;

beforeAll(async () => {
  service = await buildTestService();
  const { body } = await service.request('POST', '/api/agents', { name: 'Night desk' });
  agentId = (body as { id: string }).id;
  // It waits for its time, and has no address that is signed anew each time, so that nothing about it changes.
  const id = await placeCall(service.request, {
    to_number: '+14155550123',
    agent_id: agentId,
    scheduled_time: toInstant(systemClock.wallMs() + HOUR_MS),
    record_call: false,
  });
  path = `/api/calls/${id}`;
});
afterAll(() => service.close());

const found = async (url: string) => (await service.request('GET', url)).body as Record<string, unknown>;

describe('a call', () => {
  it('is shown with what is asked for beside it, and nothing else of it changes', async () => {
    const alone = await found(path);
    const { data: events } = await found(`${path}/events`);

    expect(await found(`${path}?expand=agent,events&expand=recording,turns`)).toEqual({
      ...alone,
      agent: await found(`/api/agents/${agentId}`),
      events,
      recording: null,
      turns: [],
    });
    expect(events).not.toEqual([]);
    expect(await found(`${path}?expand=turns`)).toEqual({ ...alone, turns: [] });
  });

  it('has a log of what happened that is read page by page, oldest first', async () => {
    const { body } = await service.request('POST', `${path}/disconnect`);
    expect(body).toMatchObject({ status: 'cancelled' });
    const whole = await found(`${path}/events`);
    expect(whole).toMatchObject({
      has_more: false,
      next_cursor: null,
      data: [{}, {}, { type: 'steered', data: { action: 'disconnect', by: expect.any(String) } }],
    });

    const first = await found(`${path}/events?limit=1`);
    expect(first).toMatchObject({ has_more: true, next_cursor: expect.any(String) });
    const second = await found(`${path}/events?limit=2&cursor=${String(first['next_cursor'])}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect([first['data'], second['data']].flat()).toEqual(whole['data']);
    const ofAnother = encodeCursor({ createdAt: 2 ** 31, id: `call_${'0'.repeat(26)}` });
    expect(await service.request('GET', `${path}/events?cursor=${ofAnother}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_cursor', details: [{ field: 'query.cursor' }] },
    });
    expect(await service.request('GET', `${path}/events?limit=0`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'query.limit' }] },
    });
  });

  it('is shown with nobody where its agent was taken away', async () => {
    expect(await service.request('DELETE', `/api/agents/${agentId}?force=true`)).toMatchObject({
      status: 200,
    });

    expect(await found(`${path}?expand=agent`)).toMatchObject({ agent_id: agentId, agent: null });
  });

  it('is not shown with what nobody knows', async () => {
    expect(await service.request('GET', `${path}?expand=agent,weather`)).toMatchObject({
      status: 400,
      body: { details: [{ field: 'query.expand[1]' }] },
    });
  });
});
