import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { later } from '#test/support/batches.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

const NUMBER = '+15550100001';
const SUPPRESSED = '+14155550199';
const TOMORROW = later();

/** What the tests look at in answers. */
type Body = Record<string, unknown>;

let service: TestService;
let agentId: string;
let strictAgentId: string;
beforeAll(async () => {
  service = await buildTestService();
  await service.request('POST', '/api/suppressions', { phone_number: SUPPRESSED, reason: 'opt_out' });
  const initial_message = 'Hello {{name}}, it is {{day}}. Your {{plan|plan}} ends.';
  agentId = await makeAgent({ initial_message });
  strictAgentId = await makeAgent({ initial_message, missing_variables: 'refuse' });
});
afterAll(() => service.close());

async function ask(method: string, path: string, body: object): Promise<{ status: number; body: Body }> {
  const answer = await service.request(method, path, body);
  return { ...answer, body: answer.body as Body };
}

async function makeAgent(fields: object): Promise<string> {
  const { body } = await ask('POST', '/api/agents', { name: 'Clinic', ...fields });
  return String(body['id']);
}

async function warningsOf(method: 'POST' | 'PUT', path: string, body: object) {
  const answer = await ask(method, path, body);
  expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(300);
  return (answer.body['warnings'] ?? []) as {
    code: string;
    field: string;
    message: string;
    rows?: number[];
  }[];
}

/** Ways to ask for a call of an agent, and what tells them who is called. */
const ROUTES: readonly (readonly [path: string, fields: object])[] = [
  ['/api/calls', { to_phone: NUMBER }],
  ['/outbound-call', { to_number: NUMBER }],
  ['/api/scheduled-calls', { phone_number: NUMBER, scheduled_time: TOMORROW }],
  ['/api/scheduled-calls/recurring', { phone_number: NUMBER, cron_expression: '0 9 1 1 *' }],
];

describe('a field that is not known', () => {
  it.each([
    ...ROUTES,
    ['/batch/schedule-call', { to_number: [NUMBER], scheduled_time: TOMORROW }],
    ['/api/batches/preflight', { to_number: [NUMBER], scheduled_time: TOMORROW }],
    ['/v1/webhooks', { url: 'https://127.0.0.1/hook' }],
    ['/api/phone-numbers', { phone_number: '+14155550150' }],
  ] as const)('of %s is told of, with the one that may have been meant', async (path, fields) => {
    const known = path.startsWith('/v1') || path.endsWith('numbers') ? {} : { agent_id: agentId };
    const sent = { ...fields, ...known, metadatta: {}, agent: 'a' };
    expect(await warningsOf('POST', path, sent)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          code: 'field_not_known',
          field: 'metadatta',
          message: expect.stringMatching(/^metadatta is not known here and was ignored/) as string,
        }),
        expect.objectContaining({ field: 'agent' }),
      ]),
    );
  });

  it('of other routes names the one of this', async () => {
    const warnings = await warningsOf('POST', '/outbound-call', { to_number: NUMBER, to_phone: NUMBER });
    expect(warnings).toMatchObject([
      { message: 'to_phone is not known here and was ignored; did you mean to_number?' },
    ]);
  });

  it('within an object is named by its path', async () => {
    const retry_policy = { max_retires: 2 };
    const fields = { phone_number: NUMBER, scheduled_time: TOMORROW, agent_id: agentId, retry_policy };
    expect(await warningsOf('POST', '/api/scheduled-calls', fields)).toContainEqual(
      expect.objectContaining({
        field: 'retry_policy.max_retires',
        message: 'retry_policy.max_retires is not known here and was ignored; did you mean max_retries?',
      }),
    );
  });

  it('is told of by a refusal, too, where it may be the reason', async () => {
    const { status, body } = await ask('POST', '/outbound-call', { to_nubmer: NUMBER });
    expect({ status, ...body }).toMatchObject({
      status: 400,
      details: [{ field: 'to_number', code: 'required' }],
      warnings: [{ message: 'to_nubmer is not known here and was ignored; did you mean to_number?' }],
    });
  });

  it('stands in the answer to a repeated request as in the first', async () => {
    const send = () =>
      service.app.server.inject({
        method: 'POST',
        url: '/api/phone-numbers',
        headers: { 'x-api-key': TEST_KEY, 'idempotency-key': 'again' },
        payload: { phone_number: '+14155550151', lable: 'Desk' },
      });
    const [first, again] = [await send(), await send()];
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.payload).toBe(first.payload);
    expect(first.json()).toMatchObject({ warnings: [{ field: 'lable' }] });
  });

  it('of a suppression list is told of with its rows', async () => {
    const phone_numbers = ['+15550100090', { phone_number: '+15550100091', resaon: 'opt_out' }];
    expect(
      await warningsOf('POST', '/api/suppressions/import', { phone_numbers, dryrun: true }),
    ).toMatchObject([{ field: 'dryrun' }, { field: 'resaon', count: 1, rows: [2] }]);
  });

  it('in the rows of a batch is told of once, with the rows', async () => {
    const to_number = [NUMBER, { phone_number: '+15550100002', nmae: 'Ada' }];
    const warnings = await warningsOf('POST', '/batch/schedule-call', {
      to_number,
      scheduled_time: TOMORROW,
    });
    expect(warnings).toMatchObject([{ field: 'nmae', count: 1, rows: [2] }]);
  });

  it('is counted in every row, also behind one that no longer fits in the list of names', async () => {
    const twenty = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`extra_${index}`, 'x']));
    const to_number = [
      { phone_number: NUMBER, ...twenty },
      { phone_number: '+15550100002', one_more: 'x', extra_0: 'x' },
    ];
    const warnings = await warningsOf('POST', '/api/batches/preflight', {
      to_number,
      scheduled_time: TOMORROW,
    });
    expect(warnings).toHaveLength(20);
    expect(warnings).toContainEqual(expect.objectContaining({ field: 'extra_0', count: 2, rows: [1, 2] }));
  });

  it('is none where an object is sent back as it was read', async () => {
    const { body } = await ask('POST', '/v1/webhooks', { url: 'https://127.0.0.1/again' });
    expect(
      await warningsOf('PUT', `/v1/webhooks/${String(body['id'])}`, { ...body, secret: undefined }),
    ).toEqual([]);
  });
});

describe('a variable that nothing fills', () => {
  it.each(ROUTES)('is told of by %s, and is none when it comes by any of its names', async (path, fields) => {
    const warned = (data: object) => warningsOf('POST', path, { agent_id: agentId, ...fields, ...data });
    expect(await warned({})).toMatchObject([{ code: 'variable_missing', field: 'day' }]);
    for (const name of ['customer_data', 'customer_context', 'variables'])
      expect(await warned({ [name]: { day: 'Monday' } }), name).toEqual([]);
  });

  it('is one of what is said, and none of the likely names of an answer', async () => {
    const caller = { kind: 'name', likely: ['{{guest}}'], confirm: 'Is it {{caller}} of {{firm}}?' };
    const who = {
      kind: 'talk',
      text: 'Who is it?',
      goal: 'Learn the name.',
      collect: { caller },
      max_turns: 3,
      otherwise: 'end',
    };
    const steps = { who, end: { kind: 'end', text: 'Goodbye.' } };
    const agent_id = await makeAgent({ initial_message: 'Hello.', playbook: { start: 'who', steps } });
    expect(await warningsOf('POST', '/outbound-call', { to_number: NUMBER, agent_id })).toMatchObject([
      { code: 'variable_missing', field: 'firm' },
    ]);
  });

  it('is counted in the rows of a batch and of its preview', async () => {
    const to_number = [
      { phone_number: NUMBER, variables: { day: 'Monday' } },
      { phone_number: '+15550100002' },
      { phone_number: '+15550100003', customer_context: { day: 'Monday' } },
    ];
    const batch = { agent_id: agentId, scheduled_time: TOMORROW, to_number };
    for (const path of ['/batch/schedule-call', '/api/batches/preflight'])
      expect(await warningsOf('POST', path, batch)).toMatchObject([{ field: 'day', count: 1, rows: [2] }]);
  });

  it.each([...ROUTES, ['/batch/schedule-call', { to_number: [NUMBER], scheduled_time: TOMORROW }]] as const)(
    'refuses a request to %s where the agent wants that',
    async (path, fields) => {
      const answer = await service.request('POST', path, { agent_id: strictAgentId, ...fields });
      expect(answer).toMatchObject({
        status: 400,
        body: { details: [{ field: 'customer_data.day', code: 'variable_missing' }] },
      });
    },
  );
});

describe('a number that is not allowed', () => {
  it.each([
    ['/api/calls', 201, { to_phone: SUPPRESSED }],
    ['/outbound-call', 200, { to_number: SUPPRESSED }],
  ] as const)('is answered by %s with a call that has failed', async (path, status, fields) => {
    const answer = await ask('POST', path, {
      agent_id: agentId,
      ...fields,
      variables: { day: 'x' },
    });
    expect(answer).toMatchObject({
      status,
      body: {
        status: 'failed',
        ended_reason: 'suppressed',
        message: 'not called: the number is on the suppression list',
      },
    });
    const { body } = await service.request('GET', `/api/calls/${String(answer.body['call_id'])}`);
    expect(body).toMatchObject({ status: 'failed', ended_reason: 'suppressed' });
  });

  it('is refused where the client prefers that', async () => {
    const answer = await service.app.server.inject({
      method: 'POST',
      url: '/outbound-call',
      headers: { 'x-api-key': TEST_KEY, prefer: 'respond-async, handling=strict' },
      payload: { to_number: SUPPRESSED, agent_id: agentId },
    });
    expect(answer.statusCode).toBe(403);
    expect(answer.json()).toMatchObject({ code: 'number_not_allowed', error: 'number is not allowed' });
  });

  it('is told of where the call is for later, when much may have changed', async () => {
    const later = { to_number: SUPPRESSED, scheduled_time: TOMORROW };
    expect(await warningsOf('POST', '/outbound-call', later)).toMatchObject([{ code: 'number_not_allowed' }]);
  });
});
