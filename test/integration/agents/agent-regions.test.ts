import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later } from '#test/support/batches.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

/** A number as it is dialled in Germany, and the same in full. */
const NATIONAL = '030 1234567';
const FULL = '+49301234567';

let service: TestService;
let german: string;
let plain: string;
beforeAll(async () => {
  service = await buildTestService();
  german = await makeAgent({ region: 'de' });
  plain = await makeAgent({});
});
afterAll(() => service.close());

async function makeAgent(fields: object): Promise<string> {
  const { body } = await service.request('POST', '/api/agents', { name: 'Clinic', ...fields });
  return (body as { id: string }).id;
}

/** Ways to ask for a call, and where their numbers stand in the answers. */
const ROUTES: readonly (readonly [path: string, fields: object, shown: object])[] = [
  ['/api/calls', { to_phone: NATIONAL }, {}],
  ['/outbound-call', { to_number: NATIONAL, scheduled_time: later() }, { to_number: FULL }],
  ['/api/scheduled-calls', { phone_number: NATIONAL, scheduled_time: later() }, { phone_number: FULL }],
  [
    '/api/scheduled-calls/recurring',
    { phone_number: NATIONAL, cron_expression: '0 9 1 1 *' },
    { phone_number: FULL },
  ],
  ['/batch/schedule-call', { to_number: [NATIONAL], scheduled_time: later() }, { total_numbers: 1 }],
  ['/api/batches/preflight', { to_number: [NATIONAL] }, { valid: 1 }],
];

describe('the region of an agent', () => {
  it('is shown, can be changed and emptied, and has to be a country', async () => {
    const id = await makeAgent({ region: 'GB' });
    const change = (region: unknown) => service.request('PATCH', `/api/agents/${id}`, { region });
    expect(await change('fr')).toMatchObject({ status: 200, body: { region: 'FR' } });
    expect(await change(null)).toMatchObject({ status: 200, body: { region: null } });
    expect(await change('Utopia')).toMatchObject({ status: 400, body: { details: [{ field: 'region' }] } });
  });

  it.each(ROUTES)('reads the numbers of %s that name it', async (path, fields, shown) => {
    const answer = await service.request('POST', path, { agent_id: german, ...fields });
    expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
    expect(answer.body).toMatchObject(shown);
  });

  it.each(ROUTES)(
    'is named in the error of %s where neither it nor the setting is there',
    async (path, fields) => {
      const { body } = await service.request('POST', path, { agent_id: plain, ...fields });
      const named = /need DEFAULT_REGION, or the region of an agent or batch/;
      expect(JSON.stringify(body)).toMatch(named);
    },
  );

  it('gives way to the region of a batch', async () => {
    const to_number = ['020 7946 0000'];
    const batch = { agent_id: german, to_number, region: 'GB', scheduled_time: later() };
    const { body } = await service.request('POST', '/batch/schedule-call', batch);
    expect(body).toMatchObject({ to_number: [{ phone_number: '+442079460000' }] });
  });

  it('reads the numbers of a table, whose errors hold the values', async () => {
    const { body } = await importTable(german, `phone\n${NATIONAL}\n12ab\n`);
    expect(body).toMatchObject({
      to_number: [{ phone_number: FULL }],
      errors: [{ row: 2, field: 'phone_number', value: '12ab' }],
    });
  });
});

async function importTable(agentId: string, payload: string) {
  const answer = await service.app.server.inject({
    method: 'POST',
    url: `/api/batches/import?agent_id=${agentId}&scheduled_time=${later()}`,
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'text/csv' },
    payload,
  });
  return { status: answer.statusCode, body: answer.json<unknown>() };
}
