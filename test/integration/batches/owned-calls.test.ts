import { afterAll, beforeAll, expect, it } from 'vitest';
import { handleTransactions } from '#batches/scheduled-calls/handle-store.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { later } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { PRINCIPAL } from '#test/support/principal.js';

const RINGS_IN_VAIN = '+15550100006';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true, environment: { MAX_CONCURRENT_CALLS: '1' } });
});
afterAll(() => service.close());

it('the call of a further attempt leads to the handle of its callee', async () => {
  const rig = await BatchRig.open();
  const retry_policy = { max_retries: 2, retry_delay: 60 };
  const { id, call_ids: ids } = await rig.make(1, { retry_policy });
  await rig.feed();
  await rig.callAll('busy');
  await rig.clock.advance(60_000);
  await rig.feed();
  const [further] = await rig.queued();
  expect(further!.id).not.toBe(ids[0]);
  const { workspace } = PRINCIPAL;
  expect(await rig.store.read(handleTransactions.find, { workspace, id: further!.id })).toMatchObject({
    kind: 'call',
    scheduled: { call: { id: ids[0] }, member: { batch: { id } } },
  });
});

it('a waiting call of a schedule cannot be paused alone: the schedule would wait forever', async () => {
  const request = async (method: string, path: string, body?: object) => {
    const answer = await service.request(method, path, body);
    return { status: answer.status, body: answer.body as Record<string, unknown> };
  };
  const idOf = async (path: string, body?: object) =>
    String((await request('POST', path, body)).body['call_id']);
  const ringing = await idOf('/outbound-call', { to_number: RINGS_IN_VAIN });
  await once(async () =>
    expect(await request('GET', `/api/calls/${ringing}`)).toMatchObject({ body: { status: 'connecting' } }),
  );
  const agent = await request('POST', '/api/agents', { name: 'Ada' });
  const wish = { agent_id: agent.body['id'], phone_number: '+15550100005', scheduled_time: later() };
  const schedule = `/api/scheduled-calls/${String((await request('POST', '/api/scheduled-calls', wish)).body['id'])}`;
  const handle = `/batch/scheduled-calls/${await idOf(`${schedule}/trigger`)}`;
  expect(await request('PUT', handle, { status: 'paused' })).toMatchObject({
    status: 409,
    body: { code: 'invalid_state' },
  });
  expect(await request('PUT', handle, { status: 'cancelled' })).toMatchObject({ status: 200 });
  await once(async () =>
    expect(await request('GET', schedule)).toMatchObject({
      body: { status: 'scheduled', last_status: 'cancelled' },
    }),
  );
});
