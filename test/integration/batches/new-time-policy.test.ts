import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { toInstant } from '#kernel/time/clock.js';
import type { BatchAnswer } from '#test/support/batches.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

/** A Wednesday, 03:00 in San Francisco. */
const START = Date.parse('2026-11-25T11:00:00Z');
const HOUR_MS = 3_600_000;
const TODAY = '2026-11-25T18:30:00Z';
const TOMORROW = '2026-11-26T18:30:00Z';
type Body = Record<string, unknown>;

let service: TestService;
let clock: FakeClock;
let agentId: string;
let serial = 0;
/** A number in San Francisco that no other test uses. */
const freshNumber = () => `+1415556${String((serial += 1)).padStart(4, '0')}`;

const ask = async (method: string, url: string, payload?: unknown) => {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Body };
};
const handle = (id: unknown) => `/batch/scheduled-calls/${String(id)}`;
const decisions = async (number: string) =>
  (await ask('GET', `/api/numbers/${encodeURIComponent(number)}/decisions`)).body['data'] as Body[];
const faults = ({ body }: { body: Body }) =>
  (body['details'] as Body[]).map(({ field, code }) => [field, code]);
const suppress = (phone_number: string, more: Body = {}) =>
  ask('POST', '/api/suppressions', { phone_number, reason: 'opt_out', ...more });

/** Creates a handle of each kind: a single call, a schedule, a recipient, a batch. */
const makers: Record<string, (number: string, wish: Body) => Promise<unknown>> = {
  async call(number, wish) {
    return (await ask('POST', '/outbound-call', { to_number: number, ...wish })).body['id'];
  },
  async schedule(number, wish) {
    const body = { agent_id: agentId, phone_number: number, ...wish };
    return (await ask('POST', '/api/scheduled-calls', body)).body['id'];
  },
  async callee(number, wish) {
    const { body } = await ask('POST', '/batch/schedule-call', { to_number: [number], ...wish });
    return (body as BatchAnswer).call_ids[0];
  },
  async batch(number, wish) {
    return (await ask('POST', '/batch/schedule-call', { to_number: [number], ...wish })).body['id'];
  },
};

beforeAll(async () => {
  clock = new FakeClock(START);
  service = await buildTestService({ replace: { clock }, environment: { COMPLIANCE_MODE: 'enforce' } });
  agentId = String((await ask('POST', '/api/agents', { name: 'Receptionist' })).body['id']);
});
afterAll(() => service.close());

/** A new time is checked as a first one is. */
describe('a new time', () => {
  it.each(['call', 'schedule'])(
    'is refused outside of the hours that came with the %s, and nothing changes',
    async (kind) => {
      const call_window = { start: '18:00', end: '20:00', timezone: 'UTC', days: ['WED'] };
      const id = await makers[kind]!(freshNumber(), { scheduled_time: TODAY, call_window });
      const before = await ask('GET', handle(id));
      clock.setWall(clock.wallMs() + 1_000);
      expect(await ask('PUT', handle(id), { name: 'N', scheduled_time: TOMORROW })).toMatchObject({
        status: 400,
        body: { code: 'validation_error', details: [{ field: 'call_window', code: 'invalid_value' }] },
      });
      expect(await ask('GET', handle(id))).toEqual(before);
    },
  );

  it.each(Object.keys(makers))('is refused for a %s as it is at first, by its name', async (kind) => {
    const id = await makers[kind]!(freshNumber(), { scheduled_time: TODAY });
    const before = await ask('GET', handle(id));
    const now = clock.wallMs();
    for (const scheduled_time of ['soon', toInstant(now - 300_001), toInstant(now + 3_700 * 24 * HOUR_MS)]) {
      const wish = { to_number: freshNumber(), scheduled_time };
      const atFirst = await ask('POST', '/outbound-call', wish);
      const anew = await ask('PUT', handle(id), { name: 'N', scheduled_time });
      expect([anew.status, faults(anew)]).toEqual([400, faults(atFirst)]);
    }
    expect(await ask('GET', handle(id))).toEqual(before);
  });

  it('of a call is put off to the calling hours, as the first one is', async () => {
    const scheduled_time = '2026-11-26T12:00:00Z';
    const first = await ask('POST', '/outbound-call', { to_number: freshNumber(), scheduled_time });
    const id = await makers['call']!(freshNumber(), { scheduled_time: TODAY });
    const opensAt = first.body['scheduled_at'];
    expect(opensAt).not.toBe(toInstant(Date.parse(scheduled_time)));
    const put = await ask('PUT', handle(id), { scheduled_time });
    expect(put.body).toMatchObject({ status: 'scheduled', scheduled_time, scheduled_at: opensAt });
    await ask('PUT', handle(id), { status: 'paused' });
    expect((await ask('PUT', handle(id), { scheduled_time, status: 'active' })).body).toMatchObject({
      status: 'active',
      scheduled_time,
      scheduled_at: opensAt,
    });
  });

  it.each(Object.keys(makers))('of a %s leaves on record what the list says to it', async (kind) => {
    const number = freshNumber();
    const id = await makers[kind]!(number, { scheduled_time: TOMORROW });
    await suppress(number, { expires_at: '2026-11-26T00:00:00Z' });
    expect((await ask('GET', handle(id))).body).toMatchObject({ status: 'scheduled' });
    const verdicts = async () => (await decisions(number)).filter(({ verdict }) => verdict === 'skip');
    expect(await verdicts()).toEqual([]);

    clock.setWall(clock.wallMs() + 1_000);
    expect((await ask('PUT', handle(id), { scheduled_time: TODAY })).status).toBe(200);
    expect(await verdicts()).toMatchObject([{ moment: 'accepted', reason: 'suppressed' }]);
  });
});
