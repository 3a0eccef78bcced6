import { isIP } from 'node:net';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { verifyBody } from '#webhooks/deliveries/signature.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { answerWith, Receiver, trustedCertificate, type Answering } from '#test/support/receiver.js';

const CALLER = '+14155550188';
const DOMAIN = 'voice.example.com';

interface Named {
  id: string;
  lookup_url: string | null;
  lookup_secret: string | null;
  updated_at: string;
}

let service: TestService;
let receiver: Receiver;
let addressOfNames = '198.51.101.7';
beforeAll(async () => {
  const { certificate, caFile } = await trustedCertificate();
  receiver = await Receiver.open(certificate);
  service = await buildTestService({
    environment: { WEBHOOK_CA_FILE: caFile, SERVER_DOMAIN: DOMAIN },
    replace: { resolve: async (host) => (isIP(host) ? [host] : [addressOfNames]) },
  });
});
afterAll(async () => {
  await service.close();
  await receiver.close();
});
afterEach(() => {
  receiver.received.length = 0;
});

const lookupUrl = (path = '/who-calls') => `${receiver.url}${path}`;
const say =
  (answer: unknown): Answering =>
  (_received, response) =>
    void response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));

async function ask(method: string, url: string, payload?: unknown) {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Named & Record<string, unknown> };
}
const newAgent = async (fields: object = {}) =>
  (await ask('POST', '/api/agents', { name: 'Front desk', ...fields })).body;

let lastNumber = 14155550200;
async function newNumber(fields: object = {}) {
  const phoneNumber = `+${++lastNumber}`;
  const { body } = await ask('POST', '/api/phone-numbers', { phone_number: phoneNumber, ...fields });
  return { ...body, phoneNumber };
}

let calls = 0;
async function ring(to: string, sid = `CA${String(++calls).padStart(32, '0')}`): Promise<CallResource> {
  const answer = await service.app.server.inject({
    method: 'POST',
    url: '/voice',
    headers: { 'x-api-key': TEST_KEY, 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ CallSid: sid, From: CALLER, To: to }).toString(),
  });
  expect(answer.body).toContain(`<Stream url="wss://${DOMAIN}/ws/stream/`);
  const callId = /name="call_id" value="([^"]+)"/.exec(answer.body)![1]!;
  const { body } = await service.request('GET', `/api/calls/${callId}`);
  return body as CallResource;
}

async function notesOf({ id }: { id: string }): Promise<unknown[]> {
  const { body } = await service.request('GET', `/api/calls/${id}/events`);
  return (body as { data: { type: string; data: unknown }[] }).data
    .filter(({ type }) => type === 'lookup_failed')
    .map(({ data }) => data);
}

describe('a lookup', () => {
  it('is told of the call, signed with the secret that was shown', async () => {
    const number = await newNumber({ lookup_url: lookupUrl() });
    receiver.answering = say({});
    const call = await ring(number.phoneNumber);

    expect(receiver.received).toHaveLength(1);
    const { path, body, headers } = receiver.received[0]!;
    expect(path).toBe('/who-calls');
    expect(JSON.parse(body)).toEqual({
      type: 'call.incoming',
      call_id: call.id,
      call_from: CALLER,
      call_to: number.phoneNumber,
      provider: 'generic',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
    });
    expect(headers['webhook-id']).toBe(call.id);
    expect(verifyBody(number.lookup_secret!, body, String(headers['x-service-signature']))).toBe(true);
    expect(() =>
      new Webhook(number.lookup_secret!).verify(body, headers as Record<string, string>),
    ).not.toThrow();
  });

  it('chooses the agent, and fills its texts', async () => {
    const number = await newNumber({ lookup_url: lookupUrl(), agent_id: (await newAgent()).id });
    const chosen = await newAgent({ name: 'For Ada' });
    receiver.answering = say({ agent_id: chosen.id, variables: { name: 'Ada', visits: 3, gold: true } });
    const call = await ring(number.phoneNumber);

    expect(call).toMatchObject({
      agent_id: chosen.id,
      customer_data: { name: 'Ada', visits: 3, gold: true },
    });
    expect(await notesOf(call)).toEqual([]);
  });

  it('is that of the number, else of the agent that answers', async () => {
    const agent = await newAgent({ lookup_url: lookupUrl('/agent') });
    const plain = await newNumber({ agent_id: agent.id });
    const own = await newNumber({ agent_id: agent.id, lookup_url: lookupUrl('/number') });
    receiver.answering = say({});
    await ring(plain.phoneNumber);
    await ring(own.phoneNumber);
    await ask('PATCH', `/api/phone-numbers/${own.id}`, { lookup_url: null });
    await ask('PATCH', `/api/agents/${agent.id}`, { status: 'inactive' });
    await ring(own.phoneNumber);

    expect(receiver.received.map(({ path }) => path)).toEqual(['/agent', '/number']);
  });

  it('is not made again for a call that is known', async () => {
    const number = await newNumber({ lookup_url: lookupUrl() });
    receiver.answering = say({ variables: { name: 'Ada' } });
    const sid = `CA${'9'.repeat(32)}`;
    const heard = await Promise.all([ring(number.phoneNumber, sid), ring(number.phoneNumber, sid)]);
    heard.push(await ring(number.phoneNumber, sid));

    expect(new Set(heard.map(({ id }) => id)).size).toBe(1);
    expect(receiver.received).toHaveLength(1);
  });

  it.each<[string, Answering, string]>([
    ['fails', answerWith(500), 'server_error'],
    ['leads elsewhere', answerWith(302, { location: 'https://127.0.0.1/' }), 'redirect'],
    ['hangs up', (_received, response) => void response.socket!.destroy(), 'reset'],
    ['is no JSON', say('<html></html>'), 'bad_answer'],
    ['is no object', say([]), 'bad_answer'],
    ['fills with what is no value', say({ variables: { name: { first: 'Ada' } } }), 'bad_answer'],
    ['holds what no database keeps', say({ variables: { name: 'A\0da' } }), 'bad_answer'],
    ['holds half a character', say({ variables: { name: 'A\ud800da' } }), 'bad_answer'],
    ['fills too much', say({ variables: Object.fromEntries(Array(65).fill(0).entries()) }), 'bad_answer'],
    ['is too long', say({ variables: { name: 'x'.repeat(17_000) } }), 'bad_answer'],
    ['is nested without end', say(`${'['.repeat(8_000)}${']'.repeat(8_000)}`), 'bad_answer'],
  ])('that %s loses no caller', async (_name, answering, reason) => {
    const agent = await newAgent();
    const number = await newNumber({ lookup_url: lookupUrl(), agent_id: agent.id });
    receiver.answering = answering;
    const call = await ring(number.phoneNumber);

    expect(call).toMatchObject({ agent_id: agent.id, status: 'initiated', customer_data: {} });
    expect(await notesOf(call)).toEqual([{ reason }]);
    expect(service.logLines).toContainEqual(expect.objectContaining({ call_id: call.id, reason }));
  });

  it('goes nowhere when its address has become one of ours', async () => {
    const number = await newNumber({ lookup_url: 'https://receiver.example.com/' });
    addressOfNames = '10.0.0.1';

    expect(await notesOf(await ring(number.phoneNumber))).toEqual([{ reason: 'blocked_address' }]);
  });

  it('that has nothing to say says nothing', async () => {
    const number = await newNumber({ lookup_url: lookupUrl() });
    receiver.answering = answerWith(204);

    expect(await notesOf(await ring(number.phoneNumber))).toEqual([]);
  });

  it.each(['inactive', 'missing'])('that chooses an agent that is %s still fills the texts', async (kind) => {
    const agent = await newAgent();
    const number = await newNumber({ lookup_url: lookupUrl(), agent_id: agent.id });
    const chosenId = kind === 'missing' ? 'agent_nobody' : (await newAgent({ status: 'inactive' })).id;
    receiver.answering = say({ agent_id: chosenId, variables: { name: 'Ada' } });
    const call = await ring(number.phoneNumber);

    expect(call).toMatchObject({ agent_id: agent.id, customer_data: { name: 'Ada' } });
    expect(await notesOf(call)).toEqual([{ reason: 'unknown_agent' }]);
  });
});

describe.each([
  ['a phone number', '/api/phone-numbers', () => ({ phone_number: `+${++lastNumber}` })],
  ['an agent', '/api/agents', () => ({ name: 'Front desk' })],
])('%s', (_name, path, fields) => {
  const add = async (more: object = {}) => (await ask('POST', path, { ...fields(), ...more })).body;
  const change = (id: string, changes: object) => ask('PATCH', `${path}/${id}`, changes);

  it('shows the secret of its lookup in the answer that makes it, and never again', async () => {
    const plain = await add();
    expect(plain).toMatchObject({ lookup_url: null, lookup_secret: null });
    const { body: set } = await change(plain.id, { lookup_url: lookupUrl() });
    expect(set).toMatchObject({
      lookup_url: lookupUrl(),
      lookup_secret: expect.stringMatching(/^whsec_[A-Za-z0-9+/]{43}=$/),
    });
    expect((await ask('GET', `${path}/${plain.id}`)).body).toEqual({ ...set, lookup_secret: null });
    const { body: list } = await ask('GET', path);
    expect(JSON.stringify(list)).not.toContain(set.lookup_secret);
    const { body: moved } = await change(plain.id, { lookup_url: lookupUrl('/moved') });
    expect(moved).toMatchObject({ lookup_url: lookupUrl('/moved'), lookup_secret: null });
    const { body: other } = await change(plain.id, { updated_at: 'ignored' });
    expect(other).toMatchObject({ lookup_url: lookupUrl('/moved'), lookup_secret: null });

    expect((await change(plain.id, { lookup_url: null })).body).toMatchObject({ lookup_url: null });
    const { body: anew } = await change(plain.id, { lookup_url: lookupUrl() });
    expect(anew.lookup_secret).toMatch(/^whsec_/);
    expect(anew.lookup_secret).not.toBe(set.lookup_secret);
    const made = await add({ lookup_url: lookupUrl() });
    expect(made.lookup_secret).toMatch(/^whsec_/);
    const logged = JSON.stringify(service.logLines);
    for (const { lookup_secret: secret } of [set, anew, made]) expect(logged).not.toContain(secret);
  });

  it.each([
    ['http://example.com/', 'webhook url must use https'],
    ['https://10.0.0.1/', 'address is not allowed'],
    ['https://[::ffff:169.254.169.254]/', 'address is not allowed'],
    ['https://me:secret@example.com/', 'address is not allowed'],
    ['https://exam\nple.com/', 'request validation failed'],
  ])('asks nobody at %s', async (url, error) => {
    const refused = { status: 400, body: { error, details: [{ field: 'lookup_url' }] } };
    expect(await ask('POST', path, { ...fields(), lookup_url: url })).toMatchObject(refused);
    const { id } = await add();
    expect(await change(id, { lookup_url: url })).toMatchObject(refused);
  });
});
