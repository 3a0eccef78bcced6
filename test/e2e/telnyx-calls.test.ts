import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce, placeCall } from '../support/call-story.js';
import { TelnyxEmulator } from '../support/emulators/telnyx-emulator.js';
import { buildTestHouse, TEST_KEY, type TestHouse } from '../support/house.js';
import { readMarkup } from '../support/markup-reader.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';

const CALLED = '+14155550123';
const MACHINE = '+14155550125';
const OURS = '+14155550177';
const INCOMING = '/webhook/telnyx/incoming';

let emulator: TelnyxEmulator;
let house: TestHouse;
let agent_id: string;
let says: Int16Array;

beforeAll(async () => {
  says = await sayYes();
  emulator = await TelnyxEmulator.open({
    webhookUrl: `https://voice.example.com${INCOMING}`,
    // The service is told that the world knows it as voice.example.com; this is the way to it.
    reach: (url) =>
      url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, scheme: string) =>
        house.baseUrl.replace('http', scheme),
      ),
    phones: {
      [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [MACHINE]: {
        kind: 'answers',
        ringMs: 200,
        answeredBy: { kind: 'machine', greetingMs: 4_000, beeps: true },
      },
    },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      CARRIER: 'telnyx',
      TELNYX_API_KEY: emulator.apiKey,
      TELNYX_PUBLIC_KEY: emulator.publicKey,
      TELNYX_CONNECTION_ID: emulator.connectionId,
      TELNYX_API_URL: emulator.url,
      TELNYX_CALLS_PER_SECOND: '50',
    },
  });
  const { body } = await house.request('POST', '/api/agents', SHORT_AGENT);
  agent_id = (body as { id: string }).id;
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id });
}, 30_000);

afterAll(async () => {
  await house?.close();
  await emulator?.close();
});

async function inboundFrom(phone: string) {
  const { body } = await house.request('GET', '/api/calls?direction=inbound');
  const { data } = body as { data: { id: string; from_phone: string; to_phone: string }[] };
  return data.filter(({ from_phone }) => from_phone === phone);
}

it('calls out and is called at once; an event that comes twice is one', async () => {
  emulator.faults.callback = ({ status }) => (status === 'call.initiated' ? { copies: 2 } : {});
  const incoming = emulator.callIn({ from: '+14155550188', to: OURS, talk: { sentences: [says] } });
  const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
  await expectShortTalk(house.request, id, 'telnyx');
  await incoming.ended;
  emulator.faults.callback = () => ({});

  const calls = await inboundFrom('+14155550188');
  expect(calls).toMatchObject([{ to_phone: OURS }]);
  await expectShortTalk(house.request, calls[0]!.id, 'telnyx');
  expect(emulator.calls).toHaveLength(2);
  for (const call of emulator.calls) {
    await call.ended;
    expect(call.cause).toBe('normal_clearing');
    expect(call.streams).toHaveLength(1);
    expect(call.person!.heardSpeechMs).toBeGreaterThan(1_000);
  }
  expect(emulator.log.complaints).toEqual([]);
  // The token of a stream is part of its address here.
  expect(JSON.stringify(house.logLines)).not.toMatch(/st_[0-9a-zA-Z]{8}/);
});

it('misses a caller who hangs up before the stream is there', async () => {
  emulator.faults.updates.push({ kind: 'server_error', isDone: false });
  const call = emulator.callIn({ from: '+14155550189', to: OURS, staysMs: 1 });
  await call.ended;

  await expect.poll(() => inboundFrom('+14155550189')).toMatchObject([{ status: 'missed' }]);
  emulator.faults.updates.length = 0;
  emulator.log.complaints.length = 0;
});

it('hangs up on a machine', async () => {
  const id = await placeCall(house.request, { to_number: MACHINE, agent_id });
  expect(await callOnce(house.request, id, { timeoutMs: 20_000 })).toMatchObject({
    ended_reason: 'voicemail',
  });
});

it('believes no event that is not signed', async () => {
  const payload = { call_control_id: 'v3:x', direction: 'incoming', from: CALLED, to: OURS };
  const { statusCode } = await house.app.server.inject({
    method: 'POST',
    url: INCOMING,
    payload: { data: { record_type: 'event', event_type: 'call.initiated', id: 'e1', payload } },
  });
  expect(statusCode).toBe(403);
});

it('answers a form with a credential of ours in TeXML, and performs nothing', async () => {
  const asked = emulator.log.asked().length;
  const answer = await house.app.server.inject({
    method: 'POST',
    url: INCOMING,
    headers: { 'content-type': 'application/x-www-form-urlencoded', 'x-api-key': TEST_KEY },
    payload: new URLSearchParams({ CallSid: 'v3:form', From: CALLED, To: OURS }).toString(),
  });
  expect(answer.statusCode).toBe(200);
  const steps = readMarkup('telnyx', {
    status: 200,
    contentType: String(answer.headers['content-type']),
    body: answer.body,
  });
  expect(steps.map(({ kind }) => kind)).toEqual(['say', 'stream', 'hang_up']);
  expect(await inboundFrom(CALLED)).toMatchObject([{ provider: 'telnyx' }]);
  expect(emulator.log.asked()).toHaveLength(asked);
});
