import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock, toInstant } from '#kernel/time/clock.js';
import { later, type BatchAnswer } from '#test/support/batches.js';
import { once } from '#test/support/call-story.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

let service: TestService;
beforeAll(async () => {
  service = await buildTestService({ listen: true });
});
afterAll(() => service.close());

async function make(body: object = {}): Promise<BatchAnswer> {
  const wish = { to_number: ['+14155550123'], scheduled_time: later(), ...body };
  return (await service.request('POST', '/batch/schedule-call', wish)).body as BatchAnswer;
}

describe('a call whose handle was changed', () => {
  const told = { from_number: '+14155550199', scheduled_time: '' };
  const call = async (id: string) => (await service.request('GET', `/api/calls/${id}`)).body;

  it('tells the same caller id and time, and when it is expected to begin', async () => {
    const batch = await make({ to_number: ['+14155550123', '+14155550124'] });
    const [first, second] = batch.call_ids as [string, string];
    const own = await service.request('POST', '/outbound-call', {
      to_number: '+14155550124',
      scheduled_time: later(),
    });
    const time = later(40);
    const starts = toInstant(Date.parse(time) + 1_000);
    const asTold = { from_phone: told.from_number, scheduled_time: time, scheduled_at: time };
    const ids = [(own.body as { id: string }).id, first, batch.id];
    for (const id of ids)
      await service.request('PUT', `/batch/scheduled-calls/${id}`, { ...told, scheduled_time: time });
    for (const id of [ids[0]!, first, second])
      expect(await call(id)).toMatchObject({ ...asTold, estimated_start_time: starts });
  });

  it('keeps its own caller id when its batch gets a new time', async () => {
    const batch = await make();
    const [id] = batch.call_ids as [string];
    const { from_number: from } = told;
    await service.request('PUT', `/batch/scheduled-calls/${id}`, { from_number: from });
    const time = later(40);
    await service.request('PUT', `/batch/scheduled-calls/${batch.id}`, {
      from_number: '+14155550177',
      scheduled_time: time,
    });
    expect(await call(id)).toMatchObject({ from_phone: from, scheduled_at: time });
  });
});

describe('the calls of a batch that is called off', () => {
  const people = Array.from({ length: 150 }, (_, number) => `+1415555${1000 + number}`);

  const statesOf = async (ids: readonly string[]) => {
    const answers = await Promise.all(ids.map((id) => service.request('GET', `/api/calls/${id}`)));
    return [...new Set(answers.map(({ body }) => (body as { status: string }).status))];
  };

  it.each<[string, (id: string) => Promise<unknown>]>([
    ['deleted', (id) => service.request('DELETE', `/batch/scheduled-calls/${id}`)],
    ['cancelled', (id) => service.request('POST', `/api/batches/${id}/cancel`)],
    [
      'set to cancelled',
      (id) => service.request('PUT', `/batch/scheduled-calls/${id}`, { status: 'cancelled' }),
    ],
    [
      'set to completed',
      (id) => service.request('PUT', `/batch/scheduled-calls/${id}`, { status: 'completed' }),
    ],
  ])('are cancelled once it was %s', async (_, callOff) => {
    const batch = await make({ to_number: people });
    const page = await service.request('GET', `/api/batches/${batch.id}/calls?limit=200`);
    const ids = (page.body as { data: { id: string }[] }).data.map(({ id }) => id);
    await callOff(batch.id);
    expect(await statesOf(ids)).toEqual(['cancelled']);
  });

  it('are cancelled in the answer, too', async () => {
    const batch = await make({ to_number: people.slice(0, 2) });
    const { body } = await service.request('POST', `/api/batches/${batch.id}/cancel`);
    expect(body).toMatchObject({ calls: [{ status: 'cancelled' }, { status: 'cancelled' }] });
    const other = await make({ to_number: people.slice(0, 2) });
    const put = await service.request('PUT', `/batch/scheduled-calls/${other.id}`, { status: 'cancelled' });
    expect(put.body).toMatchObject({ calls: [{ status: 'cancelled' }, { status: 'cancelled' }] });
  });
});

describe('the word that was chosen for a status', () => {
  /** A sandbox callee whose line is busy. */
  const busy = '+15550100005';

  it.each(['own', 'schedule'])(
    'of a %s is forgotten once it was called, and why it failed is told',
    async (kind) => {
      const agent = (await service.request('GET', '/api/agents?limit=1')).body as { data: { id: string }[] };
      const { body } =
        kind === 'own'
          ? await service.request('POST', '/outbound-call', { to_number: busy, scheduled_time: later() })
          : await service.request('POST', '/api/scheduled-calls', {
              agent_id: agent.data[0]!.id,
              phone_number: busy,
              scheduled_time: later(),
            });
      const path = `/batch/scheduled-calls/${(body as { id: string }).id}`;
      const now = toInstant(systemClock.wallMs());
      await service.request('PUT', path, { status: 'pending', scheduled_time: now });
      await once(async () => {
        expect((await service.request('GET', path)).body).toMatchObject({
          status: 'failed',
          attempts: 1,
          reason: 'busy',
          error: 'the number is busy',
        });
      });
    },
  );

  it('of a recipient yields to a change of the batch, and ends with the handle', async () => {
    const batch = await make();
    const path = `/batch/scheduled-calls/${batch.call_ids[0]}`;
    expect(await service.request('PUT', path, { status: 'pending' })).toMatchObject({
      body: { status: 'pending' },
    });
    await service.request('POST', `/api/batches/${batch.id}/pause`);
    expect((await service.request('GET', path)).body).toMatchObject({ status: 'paused' });
    await service.request('POST', `/api/batches/${batch.id}/resume`);
    expect((await service.request('GET', path)).body).toMatchObject({ status: 'pending' });
    await service.request('DELETE', path);
    expect((await service.request('GET', `/api/batches/${batch.id}`)).body).toMatchObject({
      calls: [],
      cancelled_calls: 1,
    });
    expect((await service.request('GET', `/api/calls/${batch.call_ids[0]}`)).body).toMatchObject({
      status: 'cancelled',
    });
  });
});
