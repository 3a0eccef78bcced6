import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '../../../src/kernel/time/clock.js';
import type { BatchAnswer } from '../../support/batches.js';
import { buildTestService, type TestService } from '../../support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService();
});
afterAll(() => service.close());

async function made(times: object): Promise<string> {
  const wish = { to_number: ['+14155550123'], ...times };
  return ((await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer).id;
}

describe('the time', () => {
  /** The next such day that is not close. */
  const next = (day: string) => {
    const soon = systemClock.wallMs() + 172_800_000;
    const year = Number(toInstant(soon).slice(0, 4));
    return [`${year}-${day}`, `${year + 1}-${day}`].find((date) => Date.parse(date) > soon)!;
  };
  const [january, july] = [next('01-15'), next('07-15')];
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

  it('of a batch that has begun stays, where it is an instant', async () => {
    const path = `/batch/scheduled-calls/${await made({ scheduled_time: toInstant(systemClock.wallMs()) })}`;
    expect(await service.request('PUT', path, { timezone: 'Asia/Tokyo' })).toMatchObject({ status: 200 });
    const { scheduled_at: at } = (await service.request('GET', path)).body as { scheduled_at: string };
    expect(Math.abs(Date.parse(at) - systemClock.wallMs())).toBeLessThan(60_000);
  });
});
