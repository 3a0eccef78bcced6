import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce, once, placeCall } from '../support/call-story.js';
import { VonageEmulator } from '../support/emulators/vonage-emulator.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';

const CALLED = '+14155550123';
const BUSY = '+14155550124';
const MACHINE = '+14155550125';
const CALLER = '+14155550126';
const OURS = '+14155550177';

let emulator: VonageEmulator;
let house: TestHouse;
let agent_id: string;
let says: Int16Array;

beforeAll(async () => {
  says = await sayYes();
  emulator = await VonageEmulator.open({
    phones: {
      [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [BUSY]: { kind: 'busy' },
      [MACHINE]: {
        kind: 'answers',
        ringMs: 200,
        answeredBy: { kind: 'machine', greetingMs: 1_500, beeps: true },
      },
    },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      CARRIER: 'vonage',
      VONAGE_APPLICATION_ID: emulator.account.applicationId,
      // As it comes in a variable of one line.
      VONAGE_PRIVATE_KEY: emulator.privateKey.trim().replaceAll('\n', '\\n'),
      VONAGE_API_KEY: emulator.account.apiKey,
      VONAGE_SIGNATURE_SECRET: `${emulator.account.signatureSecret}, the-secret-before`,
      VONAGE_API_URL: emulator.url,
      VONAGE_CALLS_PER_SECOND: '50',
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

const addressOf = (kind: string) => `${house.baseUrl}/webhook/vonage/${kind}`;

async function inboundFrom(number: string): Promise<{ id: string; status: string; ended_reason: string }[]> {
  const { body } = await house.request('GET', '/api/calls?direction=inbound&limit=100');
  const { data } = body as {
    data: { id: string; from_phone: string; status: string; ended_reason: string }[];
  };
  return data.filter(({ from_phone }) => from_phone === number);
}

it('calls out: the phone rings, somebody talks, and the line is hung up', async () => {
  const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
  await expectShortTalk(house.request, id, 'vonage');

  const call = emulator.calls.find(({ record }) => `+${record.to}` === CALLED)!;
  await call.ended;
  expect(call.record.statuses).toEqual(['started', 'ringing', 'answered', 'completed']);
  expect(call.person!.heardSpeechMs).toBeGreaterThan(1_000);
  expect(emulator.log.complaints).toEqual([]);
});

it('is called, by a GET as applications are set up: greeted by the carrier, answered by the agent', async () => {
  const call = emulator.callIn({
    ...{ from: CALLED, to: OURS, talk: { sentences: [says] } },
    ...{ answerUrl: addressOf('incoming'), eventUrl: addressOf('status') },
  });
  await call.ended;

  const [inbound, ...others] = await inboundFrom(CALLED);
  expect(others).toEqual([]);
  await expectShortTalk(house.request, inbound!.id, 'vonage');
  expect(call.said.join(' ')).toContain('thank you for calling');
  expect(emulator.log.complaints).toEqual([]);
});

it('hangs up on a machine, and tells who was busy', async () => {
  const [machine, busy] = await Promise.all(
    [MACHINE, BUSY].map((to_number) => placeCall(house.request, { to_number, agent_id })),
  );
  expect(await callOnce(house.request, machine!, { timeoutMs: 20_000 })).toMatchObject({
    ended_reason: 'voicemail',
  });
  expect(await callOnce(house.request, busy!, { timeoutMs: 20_000 })).toMatchObject({ ended_reason: 'busy' });
});

it('misses a caller who hangs up before the agent is there, and knows a call that is announced twice', async () => {
  emulator.faults.callback = ({ purpose }) => (purpose === 'incoming' ? { copies: 2 } : {});
  const call = emulator.callIn({
    ...{ from: CALLER, to: OURS, staysMs: 400, answerMethod: 'POST' },
    ...{ answerUrl: addressOf('incoming'), eventUrl: addressOf('status') },
  });
  await call.ended;
  emulator.faults.callback = () => ({});

  await once(5_000, async () => {
    expect(await inboundFrom(CALLER)).toMatchObject([{ status: 'missed', ended_reason: 'caller_hangup' }]);
  });
  expect(emulator.log.sent('incoming').filter(({ callSid }) => callSid === call.record.uuid)).toHaveLength(2);
});

it('believes nobody who cannot sign', async () => {
  const response = await fetch(addressOf('incoming'), {
    method: 'POST',
    headers: { 'content-type': 'application/json', authorization: 'Bearer bm90.YSB0.b2tlbg' },
    body: JSON.stringify({ from: '14155550199', to: OURS.slice(1), uuid: 'nobody' }),
  });
  expect(response.status).toBe(403);
  expect(await inboundFrom('+14155550199')).toEqual([]);
});
