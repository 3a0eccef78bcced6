import { afterEach, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

const DAY_MS = 86_400_000;
const NUMBER = '+15550100001';

let service: TestService;
afterEach(() => service.close());

/** Ways to name a time for a call. */
const ROUTES: readonly (readonly [path: string, fields: object])[] = [
  ['/outbound-call', { to_number: NUMBER }],
  ['/api/scheduled-calls', { phone_number: NUMBER }],
  ['/batch/schedule-call', { to_number: [NUMBER] }],
  ['/api/batches/preflight', { to_number: [NUMBER] }],
];

const inDays = (days: number) => toInstant(systemClock.wallMs() + days * DAY_MS);

/** The statuses and messages of every route for a time so far ahead. */
async function asked(days: number, horizon?: string) {
  service = await buildTestService({ environment: horizon ? { PLANNING_HORIZON_DAYS: horizon } : {} });
  const { body: agent } = await service.request('POST', '/api/agents', { name: 'Clinic' });
  const agent_id = (agent as { id: string }).id;
  const answers = ROUTES.map(([path, fields]) =>
    service.request('POST', path, { agent_id, ...fields, scheduled_time: inDays(days) }),
  );
  return Promise.all(answers);
}

describe('the horizon of planning', () => {
  it('is ten years, as planning tools write dates', async () => {
    for (const { status } of await asked(3_650)) expect(status).toBeLessThan(300);
  });

  it.each([
    ['3653', undefined],
    ['30', '30'],
  ])('refuses what lies behind %s days, and names its setting', async (days, setting) => {
    const message = `is more than ${days} days ahead (PLANNING_HORIZON_DAYS)`;
    for (const { status, body } of await asked(Number(days) + 1, setting))
      expect({ status, body }).toMatchObject({
        status: 400,
        body: { code: 'invalid_time', details: [{ field: 'scheduled_time', message }] },
      });
  });

  it('holds for a new time of what is planned', async () => {
    service = await buildTestService({ environment: { PLANNING_HORIZON_DAYS: '30' } });
    const at = (days: number) => ({ scheduled_time: inDays(days) });
    const call = await service.request('POST', '/outbound-call', { to_number: NUMBER, ...at(1) });
    const schedule = await service.request('POST', '/api/scheduled-calls', {
      agent_id: (call.body as { agent_id: string }).agent_id,
      phone_number: NUMBER,
      ...at(1),
    });
    const paths = [
      `/batch/scheduled-calls/${(call.body as { id: string }).id}`,
      `/api/scheduled-calls/${(schedule.body as { id: string }).id}`,
    ];
    for (const path of paths) {
      expect((await service.request('PUT', path, at(29))).status, path).toBe(200);
      expect(await service.request('PUT', path, at(31)), path).toMatchObject({
        status: 400,
        body: { code: 'invalid_time' },
      });
    }
  });
});
