import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

const HOUR_MS = 3_600_000;

let service: TestService;
let call: { call_id: string; created_at: string };

/** A call that waits for its time, so that nothing about it changes. */
const orderCall = (options: object = {}) =>
  service.request('POST', '/outbound-call', {
    to_number: '+14155550123',
    from_number: '+14155550100',
    scheduled_time: toInstant(systemClock.wallMs() + HOUR_MS),
    ...options,
  });

beforeAll(async () => {
  service = await buildTestService();
  call = (await orderCall()).body as typeof call;
});
afterAll(() => service.close());

describe('the list of calls', () => {
  const found = async (query: string) => {
    const { body } = await service.request('GET', `/api/calls?${query}`);
    return (body as { data: { call_id: string }[] }).data.map(({ call_id }) => call_id);
  };

  it.each([
    'to_phone=%2B14155550123',
    'to_phone=+14155550123',
    'to_phone=14155550123',
    'to_phone=%2B1%20(415)%20555-0123',
    'to_phone=nobody,+14155550123',
    'from_phone=0014155550100',
    'phone=+15550000001&phone=+14155550100',
  ])('finds a number however it is written: %s', async (query) => {
    expect(await found(query)).toEqual([call.call_id]);
  });

  it.each(['to_phone=+14155550100', 'phone=nobody', 'batch_id=batch_1', 'schedule_id=sched_1,sched_2'])(
    'shows nothing where nothing fits: %s',
    async (query) => expect(await found(query)).toEqual([]),
  );

  it('begins with the instant that is named', async () => {
    expect(await found(`created_after=${call.created_at}`)).toEqual([call.call_id]);
    expect(await found(`created_before=${call.created_at}`)).toEqual([]);
  });
});

describe('a call', () => {
  it('has numbers and texts for its metrics from the beginning', async () => {
    const { body } = await service.request('GET', `/api/calls/${call.call_id}/metrics`);
    expect(body).toMatchObject({
      duration: 0,
      speaker_changes: 0,
      ai_response_time: 0,
      audio_quality: 0,
      customer_sentiment: '',
      resolution_achieved: null,
    });
  });

  it('may be short without a word about silence, but not shorter than a patience that was asked for', async () => {
    const short = await orderCall({ timeout_seconds: 20 });
    expect(short.status).toBe(200);
    const { body } = await orderCall({ timeout_seconds: 20, silence_timeout_seconds: 25 });
    expect(body).toMatchObject({ details: [{ field: 'silence_timeout_seconds' }] });
    await service.request('POST', `/api/calls/${(short.body as typeof call).call_id}/disconnect`);
  });

  it('is dialled at the time that clocks show in the zone it names', async () => {
    const tomorrow = toInstant(systemClock.wallMs() + 24 * HOUR_MS).slice(0, 10);
    const local = { scheduled_time: `${tomorrow} 15:00:00`, timezone: 'Asia/Kolkata' };
    expect((await orderCall(local)).body).toMatchObject({
      scheduled_time: `${tomorrow} 15:00:00`,
      scheduled_at: `${tomorrow}T09:30:00.000Z`,
    });
    expect(await orderCall({ ...local, timezone: 'Mars' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_timezone', details: [{ field: 'timezone' }] },
    });
  });

  it('is refused for a time that is none together with all else that is wrong', async () => {
    const wrong = { scheduled_time: 'tomorrow', from_number: 'nobody' };
    const named = [{ field: 'from_number' }, { field: 'scheduled_time', code: 'invalid_time' }];
    expect((await orderCall(wrong)).body).toMatchObject({ status: 400, details: named });
    const path = `/batch/scheduled-calls/${call.call_id}`;
    expect((await service.request('PUT', path, wrong)).body).toMatchObject({ status: 400, details: named });
  });

  it('keeps its metadata when a change names none', async () => {
    const path = `/api/calls/${call.call_id}`;
    await service.request('PATCH', path, { metadata: { order: 7 } });
    for (const change of [{}, { metadata: null }]) {
      expect(await service.request('PATCH', path, change)).toMatchObject({
        status: 200,
        body: { metadata: { order: 7 } },
      });
    }
    expect((await service.request('PATCH', '/api/calls/unknown', {})).status).toBe(404);
  });
});
