import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

/** A Wednesday, 03:00 in San Francisco. */
const START = Date.parse('2026-11-25T11:00:00Z');
const HOUR_MS = 3_600_000;
type Body = Record<string, unknown>;

let service: TestService;
let clock: FakeClock;
let agentId: string;
let serial = 0;
/** A number that no other test uses. */
const freshNumber = () => `+1415555${String((serial += 1)).padStart(4, '0')}`;

const ask = async (method: string, url: string, payload?: unknown) => {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Body };
};
const plan = async (phone_number: string, more: Body = {}) => {
  const scheduled_time = toInstant(START + HOUR_MS);
  const made = await ask('POST', '/api/scheduled-calls', {
    agent_id: agentId,
    phone_number,
    scheduled_time,
    ...more,
  });
  expect(made.status).toBe(201);
  return made.body;
};
const repeat = async (phone_number: string) => {
  const body = { agent_id: agentId, phone_number, cron_expression: '0 12 * * *' };
  return (await ask('POST', '/api/scheduled-calls/recurring', body)).body;
};
const read = async (id: unknown) => (await ask('GET', `/api/scheduled-calls/${String(id)}`)).body;
const runsOf = async (id: unknown) =>
  (await ask('GET', `/api/scheduled-calls/${String(id)}/history`)).body['executions'] as Body[];
const decisions = async (number: string) =>
  (await ask('GET', `/api/numbers/${encodeURIComponent(number)}/decisions`)).body['data'] as Body[];
const suppress = (phone_number: string, more: Body = {}) =>
  ask('POST', '/api/suppressions', { phone_number, reason: 'opt_out', ...more });

beforeAll(async () => {
  clock = new FakeClock(START);
  service = await buildTestService({ replace: { clock }, environment: { COMPLIANCE_MODE: 'enforce' } });
  agentId = String((await ask('POST', '/api/agents', { name: 'Receptionist' })).body['id']);
});
afterAll(() => service.close());

describe('a schedule that is accepted', () => {
  it('asks the policy about its next call, and the answer is kept', async () => {
    const number = freshNumber();
    const { id } = await plan(number);
    expect(await decisions(number)).toMatchObject([
      {
        moment: 'accepted',
        subject_id: id,
        call_id: null,
        verdict: 'defer',
        reason: 'outside_calling_window',
        until: '2026-11-25T17:00:00.000Z',
      },
    ]);
  });

  it('goes by the hours that were asked for with it', async () => {
    const number = freshNumber();
    const call_window = { start: '17:30', end: '20:00', timezone: 'UTC', days: ['WED'] };
    const made = await plan(number, { call_window, scheduled_time: '2026-11-25T18:00:00Z' });
    expect(made['call_window']).toEqual(call_window);
    expect(await decisions(number)).toMatchObject([{ verdict: 'dial' }]);

    const url = `/api/scheduled-calls/${String(made['id'])}`;
    clock.setWall(START + 1_000);
    const later = { start: '19:00', end: '20:00', timezone: 'UTC' };
    expect((await ask('PUT', url, { call_window: later })).body['call_window']).toMatchObject({
      start: '19:00',
      days: ['MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT', 'SUN'],
    });
    clock.setWall(START + 2_000);
    expect((await ask('PUT', url, { name: 'not asked again' })).status).toBe(200);
    expect((await ask('PUT', url, { call_window: null })).body['call_window']).toBeNull();
    expect((await decisions(number)).map(({ until }) => until)).toEqual([
      null,
      '2026-11-25T19:00:00.000Z',
      null,
    ]);
  });

  it.each([
    [{ call_window: 'daytime' }, 'call_window'],
    [{ call_window: { start: '9', end: '17:00' } }, 'call_window.start'],
    [{ call_window: { start: '17:00', end: '09:00' } }, 'call_window.end'],
    [{ call_window: { start: '09:00', end: '17:00', days: ['XMAS'] } }, 'call_window.days[0]'],
    [{ call_window: { start: '09:00', end: '17:00', timezone: 'UTC+3' } }, 'call_window.timezone'],
  ])('refuses %j by its name', async (more, field) => {
    const cron_expression = '0 9 * * *';
    const body = { agent_id: agentId, phone_number: freshNumber(), cron_expression, ...more };
    const { status, body: failure } = await ask('POST', '/api/scheduled-calls/recurring', body);
    expect(status).toBe(400);
    expect((failure['details'] as Body[]).map((detail) => detail['field'])).toEqual([field]);
  });

  it.each([
    ['is open in no zone in common', { start: '09:00', end: '11:00' }, 'is never open in all time zones'],
    [
      'opens days later',
      { start: '09:00', end: '11:00', timezone: 'UTC', days: ['MON'] },
      'opens at 2026-11-30T09:00:00.000Z',
    ],
  ])('is refused with hours of its own in which nobody could be called: %s', async (_, call_window, why) => {
    /** May be anywhere in the United States. */
    const anywhere = '+15550100001';
    const refusal = { field: 'call_window', code: 'invalid_value', message: expect.stringContaining(why) };
    const scheduled_time = toInstant(START + HOUR_MS);
    const once = { agent_id: agentId, phone_number: anywhere, scheduled_time };
    const open = await ask('POST', '/api/scheduled-calls', once);
    const url = `/api/scheduled-calls/${String(open.body['id'])}`;
    for (const { status, body } of [
      await ask('POST', '/outbound-call', { to_number: anywhere, call_window }),
      await ask('POST', '/api/calls', { agent_id: agentId, to_phone: anywhere, scheduled_time, call_window }),
      await ask('POST', '/api/scheduled-calls', { ...once, call_window }),
      await ask('PUT', url, { call_window }),
    ])
      expect({ status, details: body['details'] }).toEqual({ status: 400, details: [refusal] });
    expect((await read(open.body['id']))['call_window']).toBeNull();
  });

  it('may have hours that suit only some of its runs, but not none', async () => {
    const daily = { agent_id: agentId, phone_number: freshNumber(), cron_expression: '0 18 * * *' };
    const mondays = { start: '18:00', end: '20:00', timezone: 'UTC', days: ['MON'] };
    const url = '/api/scheduled-calls/recurring';
    expect((await ask('POST', url, { ...daily, call_window: mondays })).status).toBe(201);
    const nights = { ...mondays, start: '09:00', end: '11:00' };
    expect(await ask('POST', url, { ...daily, call_window: nights })).toMatchObject({
      status: 400,
      body: {
        details: [{ message: expect.stringContaining('never open within the calling hours') as string }],
      },
    });
    const nobody = { ...daily, phone_number: '+15550100001', call_window: { start: '09:00', end: '11:00' } };
    expect((await ask('POST', url, nobody)).status).toBe(400);
  });

  it('asks about a manual run too, and does not call outside the hours', async () => {
    const number = freshNumber();
    const { id } = await plan(number);
    const run = await ask('POST', `/api/scheduled-calls/${String(id)}/trigger`);
    expect(run.status).toBe(200);
    expect(await decisions(number)).toContainEqual(
      expect.objectContaining({ moment: 'accepted', call_id: run.body['call_id'], verdict: 'defer' }),
    );
  });
});

describe('a number that comes onto the suppression list', () => {
  it('is planned no longer: once, again and again, paused or not', async () => {
    const number = freshNumber();
    const planned = [await plan(number), await plan(number), await repeat(number)];
    const spared = await plan(freshNumber());
    await ask('POST', `/api/scheduled-calls/${String(planned[1]!['id'])}/pause`);
    expect((await suppress(number)).status).toBe(201);
    for (const { id } of planned) {
      expect(await read(id)).toMatchObject({
        status: 'cancelled',
        next_execution_time: null,
        paused_at: null,
        cancelled_at: toInstant(clock.wallMs()),
      });
      expect(await runsOf(id)).toMatchObject([{ status: 'cancelled', error: 'suppressed', call_id: null }]);
    }
    expect((await decisions(number)).map(({ subject_id, verdict }) => [subject_id, verdict])).toEqual(
      expect.arrayContaining(planned.map(({ id }) => [id, 'skip'])),
    );
    expect(await read(spared['id'])).toMatchObject({ status: 'scheduled' });
  });

  it('for a limited time is planned again after it', async () => {
    const number = freshNumber();
    const [early, late] = [
      await plan(number),
      await plan(number, { scheduled_time: toInstant(START + 48 * HOUR_MS) }),
    ];
    const daily = await repeat(number);
    await suppress(number, { expires_at: toInstant(START + 24 * HOUR_MS) });
    const statuses = await Promise.all(
      [early, late, daily].map(async ({ id }) => (await read(id))['status']),
    );
    expect(statuses).toEqual(['cancelled', 'scheduled', 'scheduled']);
  });

  it('by import counts as well', async () => {
    const number = freshNumber();
    const { id } = await plan(number);
    await ask('POST', '/api/suppressions/import', { phone_numbers: [freshNumber(), number] });
    expect(await read(id)).toMatchObject({ status: 'cancelled' });
  });

  it('may be replanned; the response contains the decision', async () => {
    const number = freshNumber();
    await suppress(number);
    const { id, status } = await plan(number);
    expect(status).toBe('scheduled');
    expect(await decisions(number)).toMatchObject([
      {
        subject_id: id,
        verdict: 'skip',
        reason: 'suppressed',
        explanation: 'Not to be called: the number is on the suppression list (opt_out).',
      },
    ]);
  });
});
