import { afterAll, beforeAll, expect, it } from 'vitest';
import { callOnce, placeCall } from '../support/call-story.js';
import { TwilioEmulator } from '../support/emulators/twilio-emulator.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';

const CALLED = '+14155550123';
const BUSY = '+14155550124';
const MACHINE = '+14155550125';
const OURS = '+14155550177';

let emulator: TwilioEmulator;
let house: TestHouse;
let agent_id: string;
let says: Int16Array;

// The service is told that the world knows it as voice.example.com; the emulator finds the way to it.
beforeAll(async () => {
  says = await sayYes();
  emulator = await TwilioEmulator.open({
    reach: (url) => url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, scheme) => hereBy(scheme)),
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
      SERVER_DOMAIN: 'voice.example.com',
      CARRIER: 'twilio',
      TWILIO_ACCOUNT_SID: emulator.accountSid,
      TWILIO_AUTH_TOKEN: emulator.authToken,
      TWILIO_API_URL: emulator.url,
      TWILIO_CALLS_PER_SECOND: '50',
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

function hereBy(scheme: string): string {
  return house.baseUrl.replace('http', scheme);
}

it('calls out: the phone rings, somebody talks, and the line is hung up', async () => {
  const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
  await expectShortTalk(house.request, id, 'twilio');

  const call = emulator.calls.find(({ record }) => record.to === CALLED)!;
  await call.ended;
  expect(call.record.status).toBe('completed');
  expect(call.person!.heardSpeechMs).toBeGreaterThan(1_000);
  expect(emulator.log.complaints).toEqual([]);
});

it('is called: greeted by the carrier, answered by the agent of the number', async () => {
  const call = emulator.callIn({
    ...{ from: CALLED, to: OURS, talk: { sentences: [says] } },
    webhookUrl: 'https://voice.example.com/webhook/twilio/incoming',
    statusUrl: 'https://voice.example.com/webhook/twilio/status',
  });
  await call.ended;

  const { body } = await house.request('GET', '/api/calls?direction=inbound');
  const [inbound] = (body as { data: { id: string; to_phone: string }[] }).data;
  expect(inbound).toMatchObject({ to_phone: OURS });
  await expectShortTalk(house.request, inbound!.id, 'twilio');
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
