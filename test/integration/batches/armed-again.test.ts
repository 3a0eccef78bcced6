import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { NextCallWorker } from '#batches/scheduled-calls/single-calls/next-call-worker.js';
import { queuedCallTransactions } from '#batches/scheduled-calls/single-calls/queued-call-store.js';
import { endingTransactions } from '#calls/endings/ending-store.js';
import { createTxContexts } from '#calls/endings/tx-contexts.js';
import { later } from '#test/support/batches.js';
import { CallRig } from '#test/support/call-rig.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { databaseOn, engines } from '#test/support/engines.js';

/** Sandbox callees: one busy, one that does not answer. */
const BUSY = '+15550100005';
const ABSENT = '+15550100006';

type Body = Record<string, unknown>;
const noLinks = () => ({ recordingUrl: '', transcriptUrl: '' });

describe.each(engines)('a single call that gets a new time, on %s', (engine) => {
  let service: TestService;
  beforeAll(async () => {
    const { databaseUrl } = await databaseOn(engine);
    const environment = databaseUrl === undefined ? {} : { DATABASE_URL: databaseUrl };
    service = await buildTestService({ listen: true, environment });
  });
  afterAll(() => service?.close());

  const request = async (method: string, path: string, body?: object) => {
    const answer = await service.request(method, path, body);
    return { status: answer.status, body: answer.body as Body };
  };
  const handle = (id: string) => `/batch/scheduled-calls/${id}`;
  const put = (id: string, body: object) => request('PUT', handle(id), body);
  const shown = async (id: string) => (await request('GET', handle(id))).body;
  const callOf = async (id: unknown) => (await request('GET', `/api/calls/${String(id)}`)).body;
  const soon = () => toInstant(systemClock.wallMs());

  async function reaches(id: string, expected: Body) {
    await once(async () => expect(await shown(id)).toMatchObject(expected));
    return shown(id);
  }
  async function call(to_number: string, expected: Body): Promise<string> {
    const wish = { to_number, name: 'Ada', metadata: { crm: '42' } };
    const { body } = await request('POST', '/outbound-call', wish);
    const id = String(body['call_id']);
    await reaches(id, expected);
    return id;
  }

  /** A call being dialled, requested again in a second. */
  async function wantedAgain() {
    const rig = await CallRig.started(await databaseOn(engine));
    const { store, clock, ids } = rig;
    const txContexts = createTxContexts({ clock, links: noLinks });
    const parts = { store, clock, ids, txContexts, log: rig.log.log, rules: rig.rules };
    const caller = new NextCallWorker({ ...parts, wakeDialler: (at) => rig.callService.wakeDialler(at) });
    const first = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const again = clock.wallMs() + 1_000;
    await store.write(queuedCallTransactions.change, {
      callId: first.id,
      ids: { callId: ids.next('call'), dialId: ids.next('dial') },
      context: txContexts.unannounced(),
      rules: rig.rules,
      change: { time: { written: toInstant(again), at: again } },
    });
    return { rig, caller, first, again };
  }

  it('is called again after it has ended, by a further call', async () => {
    const id = await call(BUSY, {
      status: 'failed',
      reason: 'busy',
      attempts: 1,
      last_call_id: expect.any(String),
    });
    const scheduled_time = later();
    const armed = await put(id, { scheduled_time, from_number: '+14155550199' });
    expect(armed).toMatchObject({
      status: 200,
      body: {
        success: true,
        id,
        status: 'scheduled',
        scheduled_time,
        from_number: '+14155550199',
        to_number: BUSY,
        metadata: { crm: '42' },
        attempts: 1,
        reason: null,
      },
    });
    const further = String(armed.body['last_call_id']);
    expect(further).not.toBe(id);
    expect(await callOf(id)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
    expect(await callOf(further)).toMatchObject({
      status: 'scheduled',
      name: 'Ada',
      metadata: { crm: '42' },
    });
    expect(await shown(further)).toMatchObject({ id, last_call_id: further });
    const { body: list } = await request('GET', '/batch/scheduled-calls');
    expect((list['data'] as Body[]).map((item) => item['id'])).not.toContain(further);

    expect(await put(id, { status: 'paused' })).toMatchObject({ body: { status: 'paused' } });
    expect(await put(id, { status: 'pending' })).toMatchObject({ body: { status: 'pending' } });
    expect((await request('DELETE', `/api/calls/${id}`)).status).toBe(409);
    expect(await put(id, { scheduled_time: soon() })).toMatchObject({ body: { last_call_id: further } });
    expect(await reaches(id, { status: 'failed', attempts: 2 })).toMatchObject({ last_call_id: further });
    expect(await callOf(further)).toMatchObject({ status: 'failed', ended_reason: 'busy' });
    expect((await request('DELETE', `/api/calls/${id}`)).status).toBe(200);

    expect((await request('DELETE', handle(id))).body).toMatchObject({ deleted: true, status: 'failed' });
    for (const gone of [id, further]) expect((await request('GET', handle(gone))).status).toBe(404);
  });

  it('is armed once, however many want it, and not by the time that it had', async () => {
    const id = await call(BUSY, { status: 'failed' });
    const scheduled_time = later();
    const answers = await Promise.all(Array.from({ length: 6 }, () => put(id, { scheduled_time })));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 6 }, () => 200));
    expect(new Set(answers.map(({ body }) => body['last_call_id'])).size).toBe(1);

    const at = soon();
    await put(id, { scheduled_time: at });
    const { last_call_id: last } = await reaches(id, { status: 'failed', attempts: 2 });
    expect(await put(id, { name: 'Zoë', scheduled_time: at })).toMatchObject({
      status: 200,
      body: { name: 'Zoë', status: 'failed', attempts: 2, last_call_id: last },
    });
  });

  it('is called again after the call that is under way, and never beside it', async () => {
    const id = await call(ABSENT, { status: 'in_progress', attempts: 1 });
    const scheduled_time = soon();
    expect(await put(id, { scheduled_time, status: 'scheduled', from_number: '+14155550199' })).toMatchObject(
      {
        status: 200,
        body: {
          status: 'in_progress',
          scheduled_time,
          attempts: 1,
          last_call_id: id,
          from_number: '+14155550199',
        },
      },
    );
    await request('POST', `/api/calls/${id}/disconnect`);
    const { last_call_id: further } = await reaches(id, { status: 'in_progress', attempts: 2 });
    expect(await callOf(id)).toMatchObject({ status: 'cancelled' });
    expect(await callOf(further)).toMatchObject({ from_phone: '+14155550199' });
    const [first, second] = [await callOf(id), await callOf(further)];
    expect(String(first['end_time']) <= String(second['start_time'])).toBe(true);

    await put(id, { scheduled_time: later() });
    expect(await put(id, { status: 'cancelled' })).toMatchObject({ status: 200 });
    await reaches(id, { status: 'cancelled', attempts: 2, last_call_id: further });
  });

  it('needs none when it was called off before its time', async () => {
    const scheduled_time = later();
    const made = await request('POST', '/outbound-call', { to_number: BUSY, scheduled_time });
    const id = String(made.body['call_id']);
    expect((await put(id, { status: 'cancelled' })).body).toMatchObject({ status: 'cancelled' });
    expect(await put(id, { status: 'pending' })).toMatchObject({
      status: 200,
      body: { id, status: 'pending', scheduled_time, attempts: 0, last_call_id: null },
    });
    expect(await callOf(id)).toMatchObject({ status: 'cancelled' });
    expect((await put(id, { status: 'completed' })).body).toMatchObject({ status: 'completed' });
  });

  it('is called off like any other when its number is suppressed', async () => {
    const id = await call(BUSY, { status: 'failed' });
    await put(id, { scheduled_time: later() });
    await request('POST', '/api/suppressions', { phone_number: BUSY, reason: 'opt_out' });
    expect(await shown(id)).toMatchObject({ status: 'failed', reason: 'suppressed', attempts: 1 });
    await request('DELETE', `/api/suppressions/${encodeURIComponent(BUSY)}`);
  });

  it.each([
    [3_600_000, 2],
    [3_600_001, 1],
  ])('is called again %i ms after that time at most: %i calls', async (lateMs, calls) => {
    const { rig, caller, first, again } = await wantedAgain();
    const busyAt = again + lateMs;
    rig.clock.setWall(busyAt);
    const details = createTxContexts({ ...rig, links: noLinks }).finish(first.id, 'busy');
    await rig.store.write(endingTransactions.finish, { callId: first.id, details });
    await caller.perform((await caller.claim(1))[0]!);
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(calls);
  });

  it('ends once, as each of its further calls does', async () => {
    const { rig, caller, first } = await wantedAgain();
    await rig.pass(5_000);
    expect(await caller.claim(10)).toEqual([]);
    expect(rig.carrier.placed).toHaveLength(1);

    await rig.carrier.report('busy');
    await rig.reaches(first.id, 'failed');
    // Two processes find the further call at once.
    const wanted = [...(await caller.claim(10)), ...(await caller.claim(10))];
    expect(wanted).toEqual([first.id, first.id]);
    await Promise.all(wanted.map((callId) => caller.perform(callId)));
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.carrier.report('busy');
    await rig.pass(5_000);
    expect(rig.carrier.placed).toHaveLength(2);
    expect(await caller.claim(10)).toEqual([]);
    expect(await rig.eventTypes(first.id)).toEqual(['call.initiated', 'call.failed']);
  });
});
