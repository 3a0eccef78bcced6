import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { BatchRig } from '#test/support/batch-rig.js';
import { later, nextDay, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { keptEvents } from '#test/support/kept-events.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
});
afterAll(() => service.close());

async function make(...numbers: string[]): Promise<BatchAnswer> {
  const wish = { to_number: numbers, scheduled_time: later() };
  return (await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer;
}

describe('a handle with a time of its own', () => {
  it('is called then, also before its batch; the others wait for theirs', async () => {
    const batch = await make('+15550100009', '+15550100009', '+15550100001');
    const [first, , other] = batch.call_ids as [string, string, string];
    const now = later(0);
    expect(
      await service.request('PUT', `/batch/scheduled-calls/${first}`, { scheduled_time: now }),
    ).toMatchObject({
      body: { scheduled_time: now, scheduled_at: now },
    });
    await once(async () => {
      const { body } = await service.request('GET', `/batch/scheduled-calls/${first}`);
      expect(body).toMatchObject({ status: 'completed', attempts: 1 });
    });
    const waiting = await service.request('GET', `/batch/scheduled-calls/${other}`);
    expect(waiting.body).toMatchObject({ status: 'scheduled', attempts: 0 });
    await once(async () => {
      const { body } = await service.request('GET', `/api/batches/${batch.id}`);
      expect(body).toMatchObject({ status: 'in_progress', successfully_called: 1, pending_calls: 1 });
    });
  });
});

describe('a handle that is called off', () => {
  it.each(['callee', 'own'])('announces the end of a call that never was dialled, once: %s', async (kind) => {
    const batch = await make('+14155550123', '+14155550124');
    const wish = { to_number: '+14155550124', scheduled_time: later() };
    const { body } = await service.request('POST', '/outbound-call', wish);
    const callId = kind === 'callee' ? batch.call_ids[0]! : (body as { call_id: string }).call_id;
    const path = `/batch/scheduled-calls/${callId}`;
    await service.request('PUT', path, { status: 'cancelled' });
    await service.request('DELETE', path);
    const told = keptEvents(service.dataDir, callId);
    expect(told).toMatchObject([{ event_type: 'call.failed', data: { status: 'cancelled' } }]);
  });
});

describe('a new time without an offset', () => {
  const [january, july] = [nextDay('01-15'), nextDay('07-15')];
  const [winter, summer] = [`${january} 12:00:00`, `${july} 12:00:00`];
  const inNewYork = { scheduled_time: winter, timezone: 'America/New_York' };
  const ids = {
    batch: async (times: object) => {
      const wish = { to_number: ['+14155550123'], ...times };
      return ((await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer).id;
    },
    callee: async (times: object) => {
      const wish = { to_number: ['+14155550123'], ...times };
      return ((await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer).call_ids[0]!;
    },
    call: async (times: object) => {
      const wish = { to_number: '+14155550123', ...times };
      return ((await service.request('POST', '/outbound-call', wish)).body as { id: string }).id;
    },
  };

  it.each(['batch', 'callee'] as const)('of a %s is read in the zone of the batch', async (kind) => {
    const path = `/batch/scheduled-calls/${await ids[kind](inNewYork)}`;
    const put = async (body: object) => (await service.request('PUT', path, body)).body;
    expect(await put({ scheduled_time: summer })).toMatchObject({
      scheduled_time: summer,
      scheduled_at: `${july}T16:00:00.000Z`,
    });
    expect(await put({ scheduled_time: `${winter}Z` })).toMatchObject({
      scheduled_at: `${january}T12:00:00.000Z`,
    });
    expect(await put({ scheduled_time: winter })).toMatchObject({ scheduled_at: `${january}T17:00:00.000Z` });
  });

  it('of a batch is read in the zone that was named last', async () => {
    const path = `/batch/scheduled-calls/${await ids.batch({ scheduled_time: winter })}`;
    const put = async (body: object) => (await service.request('PUT', path, body)).body;
    expect(await put({ scheduled_time: summer })).toMatchObject({
      timezone: null,
      scheduled_at: `${july}T12:00:00.000Z`,
    });
    await put({ scheduled_time: winter, timezone: 'America/New_York' });
    expect(await put({ scheduled_time: summer })).toMatchObject({
      timezone: 'America/New_York',
      scheduled_at: `${july}T16:00:00.000Z`,
    });
  });

  it('of a callee with a zone of its own is read in that', async () => {
    const path = `/batch/scheduled-calls/${await ids.callee(inNewYork)}`;
    const put = (body: object) => service.request('PUT', path, body);
    expect((await put({ scheduled_time: summer, timezone: 'Europe/London' })).body).toMatchObject({
      scheduled_at: `${july}T11:00:00.000Z`,
    });
    expect((await put({ scheduled_time: winter })).body).toMatchObject({
      scheduled_at: `${january}T12:00:00.000Z`,
    });
  });

  it.each(['callee', 'call'] as const)(
    'of a %s is read in the zone that was named beside an instant',
    async (kind) => {
      const id = await ids[kind]({ scheduled_time: `${winter}Z`, timezone: 'America/New_York' });
      const path = `/batch/scheduled-calls/${id}`;
      const put = async (body: object) => (await service.request('PUT', path, body)).body;
      expect(await put({ scheduled_time: summer })).toMatchObject({ scheduled_at: `${july}T16:00:00.000Z` });
      expect(await put({ scheduled_time: `${winter}Z`, timezone: 'Europe/London' })).toMatchObject({
        scheduled_at: `${january}T12:00:00.000Z`,
      });
      expect(await put({ scheduled_time: summer })).toMatchObject({ scheduled_at: `${july}T11:00:00.000Z` });
    },
  );

  it('of a call of its own is read in the zone of the time before', async () => {
    const path = `/batch/scheduled-calls/${await ids.call(inNewYork)}`;
    const put = (body: object) => service.request('PUT', path, body);
    expect((await put({ scheduled_time: summer })).body).toMatchObject({
      scheduled_at: `${july}T16:00:00.000Z`,
    });
    expect(await put({ scheduled_time: summer, timezone: 'Mars' })).toMatchObject({
      status: 400,
      body: { details: [{ field: 'timezone' }] },
    });
    const changed = await put({ scheduled_time: summer, timezone: 'America/New_York' });
    expect(changed).toMatchObject({
      status: 200,
      body: { scheduled_time: summer, scheduled_at: `${july}T16:00:00.000Z` },
    });
    expect((await put({ scheduled_time: `${winter}Z` })).status).toBe(200);
    expect((await put({ scheduled_time: summer })).body).toMatchObject({
      scheduled_at: `${july}T12:00:00.000Z`,
    });
    expect((await put({ scheduled_time: winter })).body).toMatchObject({
      scheduled_at: `${january}T12:00:00.000Z`,
    });
  });
});

describe('a number that is over', () => {
  it('keeps its time and caller id: the present ones are no change, others are refused', async () => {
    const rig = await BatchRig.open();
    const scheduled_time = toInstant(rig.clock.wallMs());
    const { id, call_ids: calls } = await rig.make(2, { scheduled_time });
    const own = toInstant(rig.clock.wallMs() + 1_000);
    await rig.changeNumber(id, calls[1]!, {
      time: { written: own, at: Date.parse(own) },
      from: '+14155550177',
    });
    await rig.clock.advance(1_000);
    await rig.feed();
    await rig.callAll('customer_hangup');
    const change = (callId: string, written: string, more: object = {}) =>
      rig.changeNumber(id, callId, { name: 'N', time: { written, at: Date.parse(written) }, ...more });
    await change(calls[0]!, scheduled_time);
    await change(calls[1]!, own, { from: '+14155550177' });
    for (const refused of [
      change(calls[1]!, scheduled_time),
      change(calls[1]!, own, { from: '+14155550178' }),
      rig.changeNumber(id, calls[0]!, { status: { word: 'scheduled', wanted: 'scheduled' } }),
    ])
      await expect(refused).rejects.toMatchObject({
        code: 'invalid_state',
        message: expect.stringMatching(/that is completed cannot be changed; schedule a new call instead/),
      });
    await rig.feed();
    expect(await rig.queued()).toEqual([]);
    expect(await rig.read(id)).toMatchObject({ status: 'completed', successfully_called: 2 });
  });

  it('is cancelled by a word that it has already, also where it was listed twice', async () => {
    const rig = await BatchRig.open();
    const { id, call_ids: calls } = await rig.make(['+14151000001', '+14151000001']);
    await rig.feed();
    const change = rig.changeNumber(id, calls[1]!, { status: { word: 'canceled', wanted: 'cancelled' } });
    expect(await change).toEqual({ hangUp: null });
    expect(await rig.read(id)).toMatchObject({ skipped_calls: 1, live_calls: 1 });
  });
});

describe('a number to which an earlier release has given a time while its phone rang', () => {
  /** The phone rings for `ringsMs`; the time lies `asked` from the request. */
  async function askedWhileRinging(asked: number, ringsMs: number) {
    const rig = await BatchRig.open();
    const { call_ids: calls } = await rig.make(1);
    await rig.feed();
    await rig.sql(`update dial_attempts set status = 'dialling'`);
    await rig.sql(`update calls set status = 'connecting'`);
    await rig.clock.advance(5_000);
    const at = rig.clock.wallMs() + asked;
    await rig.sql(
      `update batch_recipients set due_at = ${at}, scheduled_at = ${at}, scheduled_time = 'then'`,
    );
    await rig.clock.advance(ringsMs);
    await rig.end(calls[0]!, 'busy');
    await rig.settle();
    await rig.feed();
    return rig;
  }

  it('is called then, where that lies ahead', async () => {
    const rig = await askedWhileRinging(60_000, 20_000);
    expect(await rig.queued()).toEqual([]);
    await rig.clock.advance(40_000);
    await rig.feed();
    expect(await rig.queued()).toHaveLength(1);
  });

  it.each([
    [20_000, 1],
    [3_601_000, 1],
    [3_601_001, 0],
  ])('is called right after a call of %i ms, an hour late at most: %i calls', async (ringsMs, calls) => {
    const rig = await askedWhileRinging(1_000, ringsMs);
    expect(await rig.queued()).toHaveLength(calls);
  });
});
