import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { furtherCallTransactions } from '#batches/scheduled-calls/single-calls/further-call-store.js';
import { queuedCallTransactions } from '#batches/scheduled-calls/single-calls/queued-call-store.js';
import { restoredCallTransactions } from '#calls/dialling/restored-store.js';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { Problem } from '#kernel/errors/errors.js';
import { later } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { openSingleCallFixture } from '#test/support/single-call-fixture.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { PRINCIPAL } from '#test/support/principal.js';

const HOUR_MS = 3_600_000;
const BUSY = '+15550100005';
const RINGS_IN_VAIN = '+15550100006';

describe('a call that is wanted after the one before', () => {
  it('is not made when the database was put back meanwhile: it may have been made', async () => {
    const { rig, store, clock, wantedAgain, goOn } = await openSingleCallFixture();
    const first = await wantedAgain(60_000);
    clock.setWall(clock.wallMs() + 600_000);
    const at = clock.wallMs();
    expect(await store.write(furtherCallTransactions.forget, { at })).toBe(1);
    await store.write(restoredCallTransactions.expire, { at });
    await rig.carrier.report('busy');
    await rig.reaches(first.id, 'failed');
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
  });

  it.each(['cancelled', 'failed'] as const)(
    'is not made when it is cancelled right after the one before is %s',
    async (status) => {
      const { rig, change, goOn, wantedAgain } = await openSingleCallFixture();
      const first = await wantedAgain();
      if (status === 'failed') await rig.carrier.report('busy');
      else await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, first.id));
      await rig.reaches(first.id, status);
      await change(first.id, { status: 'cancelled' });
      await goOn();
      expect(rig.carrier.placed).toHaveLength(1);
    },
  );

  it('keeps its time when it is armed again', async () => {
    const { rig, change, goOn, wantedAgain } = await openSingleCallFixture();
    const first = await wantedAgain(2 * HOUR_MS);
    await rig.settled(rig.callService.calls.disconnect(PRINCIPAL, first.id));
    await change(first.id, { status: 'scheduled' });
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
  });

  it('is not made for a number that was suppressed meanwhile', async () => {
    const { rig, store, goOn, wantedAgain } = await openSingleCallFixture();
    const first = await wantedAgain();
    await store.write(furtherCallTransactions.callOff, {
      workspace: 'default',
      phoneNumbers: [first.to_phone],
    });
    await rig.carrier.report('busy');
    await rig.reaches(first.id, 'failed');
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
  });
});

describe('a call that was called off', () => {
  it('is not armed by the time that it had, though the policy has put it off', async () => {
    const { rig, clock, scheduled, change } = await openSingleCallFixture();
    rig.rules.mode = 'enforce';
    const opensAt = Math.floor(clock.wallMs() / HOUR_MS + 3) % 24;
    const startMinute = opensAt * 60;
    rig.rules.window = { startMinute, endMinute: startMinute + 60, days: 127, timezone: 'UTC' };
    const scheduled_time = toInstant(clock.wallMs() + 600_000);
    const call = await rig.create({ scheduled_time });
    const shown = (await scheduled.get(PRINCIPAL, call.id)) as { scheduled_at: string };
    expect(shown.scheduled_at).not.toBe(scheduled_time);
    await change(call.id, { status: 'cancelled' });
    await rig.reaches(call.id, 'cancelled');
    expect(await change(call.id, { name: 'Zoë', scheduled_time })).toMatchObject({ status: 'cancelled' });
  });
});

describe('a call that waits for a line', () => {
  it('is moved by a new time, and rings once', async () => {
    const { rig, clock, scheduled, change, goOn } = await openSingleCallFixture({ maxConcurrentCalls: 1 });
    await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    const waiting = await rig.create({ to_phone: '+14155550199' });
    await rig.pass(2_000);
    await change(waiting.id, { scheduled_time: toInstant(clock.wallMs() + HOUR_MS) });
    expect(await scheduled.get(PRINCIPAL, waiting.id)).toMatchObject({ status: 'scheduled' });
    await rig.carrier.report('busy');
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
    clock.setWall(clock.wallMs() + HOUR_MS);
    await rig.until(() => rig.carrier.placed.length === 2);
    await rig.carrier.report('busy');
    await rig.reaches(waiting.id, 'failed');
    await goOn();
    expect(rig.carrier.placed.map(({ to }) => to).filter((to) => to === waiting.to_phone)).toHaveLength(1);
  });
});

describe('a handle that is deleted', () => {
  it('takes the call that waits with it, also when the process dies right then', async () => {
    const { rig, clock, disconnects, remove } = await openSingleCallFixture();
    const call = await rig.create({ scheduled_time: toInstant(clock.wallMs() + 10_000) });
    disconnects.disconnect = () => Promise.reject(new Problem('unavailable', 'The process is dead.'));
    await remove(call.id);
    expect(await rig.call(call.id)).toMatchObject({ status: 'cancelled', ended_reason: 'cancelled' });
    await rig.pass(15_000);
    expect(rig.carrier.placed).toEqual([]);
    expect(await rig.eventTypes(call.id)).toEqual(['call.failed']);
  });

  it('is unknown to whoever wants to change it at the same moment', async () => {
    const { rig, clock, store, remove, goOn } = await openSingleCallFixture();
    const call = await rig.create();
    await rig.until(() => rig.carrier.placed.length === 1);
    await remove(call.id);
    const at = clock.wallMs();
    const changed = store.write(queuedCallTransactions.change, {
      callId: call.id,
      ids: { callId: rig.ids.next('call'), dialId: rig.ids.next('dial') },
      context: rig.callService.txContexts.unannounced(),
      rules: rig.rules,
      change: { time: { written: toInstant(at), at } },
    });
    await expect(changed).rejects.toMatchObject({ code: 'scheduled_call_not_found' });
    await goOn();
    expect(rig.carrier.placed).toHaveLength(1);
  });
});

describe('over HTTP, a call that was wanted now', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await buildTestService({ listen: true });
  });
  afterAll(() => service.close());

  async function failedCall(): Promise<string> {
    const { body } = await service.request('POST', '/outbound-call', { to_number: BUSY });
    const id = (body as { call_id: string }).call_id;
    await once(async () => expect(await shown(id)).toMatchObject({ status: 'failed' }));
    return id;
  }
  const shown = async (id: string) =>
    (await service.request('GET', `/batch/scheduled-calls/${id}`)).body as Record<string, unknown>;
  const put = (id: string, scheduled_time: string) =>
    service.request('PUT', `/batch/scheduled-calls/${id}`, { scheduled_time });

  it('is in the list once it is wanted at a time', async () => {
    const id = await failedCall();
    await put(id, later());
    const { body } = await service.request('GET', '/batch/scheduled-calls');
    expect((body as { data: { id: string }[] }).data.map((one) => one.id)).toContain(id);
  });

  it('is not called again when its first call was erased', async () => {
    const id = await failedCall();
    await put(id, toInstant(systemClock.wallMs()));
    await once(async () => expect(await shown(id)).toMatchObject({ status: 'failed', attempts: 2 }));
    expect((await service.request('DELETE', `/api/calls/${id}`)).status).toBe(200);
    expect(await put(id, later())).toMatchObject({ status: 409, body: { code: 'invalid_state' } });
  });

  it('is not wanted any more when its number comes onto the suppression list meanwhile', async () => {
    const { body } = await service.request('POST', '/outbound-call', { to_number: RINGS_IN_VAIN });
    const id = (body as { call_id: string }).call_id;
    await once(async () => expect(await shown(id)).toMatchObject({ status: 'in_progress', attempts: 1 }));
    const scheduled_time = later();
    await put(id, scheduled_time);
    expect(await shown(id)).toMatchObject({ scheduled_time });
    const suppressed = await service.request('POST', '/api/suppressions', { phone_number: RINGS_IN_VAIN });
    expect(suppressed.status).toBe(201);
    expect((await shown(id))['scheduled_time']).not.toBe(scheduled_time);
  });
});
