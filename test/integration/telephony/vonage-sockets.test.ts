import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { callbackToken } from '#test/support/emulators/vonage/tokens.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';
import { systemClock } from '#kernel/time/clock.js';

const ACCOUNT = { apiKey: 'a1b2c3d4', applicationId: randomUUID(), signatureSecret: 'signs-for-tests' };
const CALLED = '14155550177';
const CALLER = '14155550188';
/** What Vonage takes of headers, as JSON. */
const MOST_HEADER_BYTES = 512;

let service: TestService;

beforeAll(async () => {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  service = await buildTestService({
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      VONAGE_APPLICATION_ID: ACCOUNT.applicationId,
      VONAGE_PRIVATE_KEY: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
      VONAGE_API_KEY: ACCOUNT.apiKey,
      VONAGE_SIGNATURE_SECRET: ACCOUNT.signatureSecret,
    },
  });
  const agent = await service.request('POST', '/api/agents', { name: 'Accueil', language: 'fr-FR' });
  const { id: agent_id } = agent.body as { id: string };
  await service.request('POST', '/api/phone-numbers', { phone_number: `+${CALLED}`, agent_id });
});
afterAll(() => service.close());

/** What is answered to a request that Vonage has signed. */
async function post(kind: string, content: object): Promise<unknown> {
  const payload = JSON.stringify(content);
  const authorization = `Bearer ${callbackToken(ACCOUNT, payload, { issuedAtMs: systemClock.wallMs() })}`;
  const headers = { 'content-type': 'application/json', authorization };
  const url = `/webhook/vonage/${kind}`;
  const answer = await service.app.server.inject({ method: 'POST', url, headers, payload });
  expect(answer.statusCode).toBe(200);
  return answer.json();
}

/** Somebody calls, and is to be connected with a socket: its action, and what is told of the socket. */
async function callIn() {
  const call = { from: CALLER, to: CALLED, uuid: randomUUID(), conversation_uuid: `CON-${randomUUID()}` };
  const ncco = (await post('incoming', call)) as { action: string; endpoint: [{ headers: object }] }[];
  const { headers } = ncco.find(({ action }) => action === 'connect')!.endpoint[0];
  const told = (status: string) => {
    const leg = { from: CALLED, to: 'wss://voice.example.com/ws/stream/agent', uuid: randomUUID() };
    return post('stream-ended', { ...leg, conversation_uuid: call.conversation_uuid, status, headers });
  };
  return { call, headers, told };
}

async function callOf(uuid: string): Promise<Record<string, unknown> | undefined> {
  const { body } = await service.request('GET', '/api/calls?limit=100&direction=inbound');
  return (body as { data: Record<string, unknown>[] }).data.find((call) => call['provider_call_id'] === uuid);
}

it.each(['failed', 'unanswered'])('a caller whose socket is %s hears an apology', async (status) => {
  const { call, headers, told } = await callIn();
  expect(JSON.stringify(headers).length).toBeLessThan(MOST_HEADER_BYTES);

  const ncco = await told(status);

  expect(ncco).toEqual([
    { action: 'talk', text: expect.stringMatching(/^Nous sommes désolés/), language: 'fr-FR' },
  ]);
  expect(await callOf(call.uuid)).toMatchObject({ status: 'failed', ended_reason: 'stream_not_opened' });
});

it.each(['started', 'answered', 'disconnected', 'completed'])(
  'that a socket is %s leaves the call to what it was told before',
  async (status) => {
    const { call, told } = await callIn();
    expect(await told(status)).toEqual({ success: true });
    expect(await callOf(call.uuid)).toMatchObject({ ended_at: null });
  },
);
