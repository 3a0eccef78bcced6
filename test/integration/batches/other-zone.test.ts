import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { nextDay, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
});
afterAll(() => service.close());

async function made(times: object): Promise<string> {
  const wish = { to_number: ['+14155550123'], ...times };
  return ((await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer).id;
}

describe('the time', () => {
  const [january, july] = [nextDay('01-15'), nextDay('07-15')];
  const [winter, summer] = [`${january} 12:00:00`, `${july} 12:00:00`];

  it.each([
    ['local, in the usual zone', { scheduled_time: winter }, '17:00'],
    ['local, in a zone that was named', { scheduled_time: winter, timezone: 'Asia/Tokyo' }, '17:00'],
    ['an instant', { scheduled_time: `${winter}Z`, timezone: 'Europe/London' }, '12:00'],
  ])('of a batch is moved by another zone alone where it is local: %s', async (_what, times, hour) => {
    const path = `/batch/scheduled-calls/${await made(times)}`;
    const put = (body: object) => service.request('PUT', path, body);
    const timezone = 'America/New_York';
    for (let round = 0; round < 2; round += 1)
      expect((await put({ timezone })).body).toMatchObject({
        timezone,
        scheduled_time: times.scheduled_time,
        scheduled_at: `${january}T${hour}:00.000Z`,
      });
    expect((await put({ scheduled_time: summer })).body).toMatchObject({
      scheduled_at: `${july}T16:00:00.000Z`,
    });
    await put({ scheduled_time: `${winter}Z`, timezone: 'Asia/Tokyo' });
    await put({ timezone });
    expect((await put({ scheduled_time: summer })).body).toMatchObject({
      scheduled_at: `${july}T16:00:00.000Z`,
    });
  });

  it.each([
    ['an instant is the same in every zone', (now: string) => ({ scheduled_time: now }), 200],
    [
      'one that is local can be moved no more',
      (now: string) => ({ scheduled_time: now.slice(0, 19).replace('T', ' '), timezone: 'UTC' }),
      409,
    ],
  ])('of a batch that has begun stays: %s', async (_what, timesAt, status) => {
    const id = await made(timesAt(toInstant(systemClock.wallMs())));
    const batch = async () => (await service.request('GET', `/api/batches/${id}`)).body as BatchAnswer;
    await once(async () => expect((await batch()).status).not.toBe('scheduled'));
    const { scheduled_at: at } = await batch();
    const path = `/batch/scheduled-calls/${id}`;
    expect(await service.request('PUT', path, { timezone: 'America/New_York' })).toMatchObject({ status });
    expect((await batch()).scheduled_at).toBe(at);
  });
});
