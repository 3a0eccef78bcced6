import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { digitsSent } from '#calls/live/sessions/send-digits.js';
import {
  callOnce,
  callWithSummary,
  once,
  placeCall,
  transcriptOf,
  wordsOf,
} from '#test/support/call-story.js';
import { TwilioEmulator } from '#test/support/emulators/twilio-emulator.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';
import { keysIn, writtenKeys } from '#test/support/key-judge.js';
import { SHORT_AGENT } from '#test/support/short-talk.js';
import { drawn } from '#test/support/tier.js';
import { telnyxKeys } from '#test/support/telnyx-keys.js';
import { VirtualClock } from '#test/support/virtual-clock.js';
import { readStereoWav } from '#test/support/wav.js';

/** Carriers that cannot press keys while a call streams its sound. */
const CARRIERS = [
  { name: 'twilio', ours: '+14155550177' },
  { name: 'telnyx_texml', ours: '+14155550178' },
] as const;

const PHONE_MENU = '+15550100023';

/** Somebody who does not hang up on a machine. */
const PATIENT_AGENT = {
  ...SHORT_AGENT,
  name: 'Patient',
  playbook: {
    start: 'time',
    steps: {
      time: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        retry: Array.from({ length: 5 }, () => 'Hello?'),
        answers: { yes: 'time', no: 'time' },
        otherwise: 'time',
      },
    },
  },
};

const time = new VirtualClock();
let patientAgent: string;
let emulators: Record<(typeof CARRIERS)[number]['name'], TwilioEmulator>;
let service: TestService;

beforeAll(async () => {
  // The service is told that the world knows it as voice.example.com; this is the way to it.
  const reach = (url: string) =>
    url.replace(/^(http|ws)s:\/\/voice\.example\.com/, (_, scheme: string) =>
      service.baseUrl.replace('http', scheme),
    );
  const clock = time;
  const { signingKey, publicKey } = telnyxKeys();
  const twilio = await TwilioEmulator.open({ clock, reach });
  const telnyx = await TwilioEmulator.open({ clock, dialect: 'telnyx', signingKey, reach });
  emulators = { twilio, telnyx_texml: telnyx };
  service = await buildTestService({
    time,
    environment: {
      SERVER_DOMAIN: 'voice.example.com',
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_API_URL: twilio.url,
      TELNYX_TEXML_API_KEY: telnyx.authToken,
      TELNYX_TEXML_PUBLIC_KEY: publicKey,
      TELNYX_TEXML_ACCOUNT_SID: telnyx.accountSid,
      TELNYX_TEXML_APPLICATION_SID: '1293384261075731499',
      TELNYX_TEXML_API_URL: telnyx.url,
    },
  });
  const { body } = await service.request('POST', '/api/agents', SHORT_AGENT);
  const { id: agent_id } = body as { id: string };
  const patient = await service.request('POST', '/api/agents', PATIENT_AGENT);
  patientAgent = (patient.body as { id: string }).id;
  for (const { ours } of CARRIERS)
    await service.request('POST', '/api/phone-numbers', { phone_number: ours, agent_id });
});

afterAll(async () => {
  await service?.close();
  await Promise.all(Object.values(emulators ?? {}).map((emulator) => emulator.close()));
});

it.concurrent.each(drawn(1, CARRIERS))(
  'reach whoever is called through $name, in the middle of a sentence',
  async ({ name, ours }) => {
    const emulator = emulators[name];
    const call = emulator.callIn({
      from: '+14155550188',
      to: ours,
      webhookUrl: `https://voice.example.com/webhook/${name}/incoming`,
      statusUrl: `https://voice.example.com/webhook/${name}/status`,
    });
    const person = call.person!;
    await once(async () => expect(person.heardSpeechMs).toBeGreaterThan(300), time);
    const id = await callTo(ours);
    const { status, body } = await pressed(id, '1w2345#');
    expect(status, JSON.stringify(body)).toBe(200);
    expect(digitsSent.parse(body)).toMatchObject({ call_id: id, digits: '1w2345#', sent: true });

    // The sentence is said to its end, and whoever is there answers with a key of their own.
    const [question] = await once(async () => {
      const entries = await transcriptOf(service.request, id);
      expect(entries).toHaveLength(1);
      return entries;
    }, time);
    expect(question).toMatchObject({ speaker: 'agent', interrupted: false });
    expect(wordsOf(question!.text)).toBe('do you have time tomorrow');
    call.press('1');
    await time.during(call.ended);
    expect(await callOnce(service.request, id)).toMatchObject({
      ended_reason: 'agent_hangup',
    });
    expect((await transcriptOf(service.request, id)).map(({ text }) => wordsOf(text))).toContain('thank you');

    const keys = keysIn(person.heard);
    expect(keys.map(({ key }) => key).join('')).toBe('12345#');
    const isSaid = (fromMs: number, toMs: number) =>
      person.levels.slice(fromMs / 20, toMs / 20).filter((level) => level > 300).length > 5;
    expect(isSaid(0, keys[0]!.startMs)).toBe(true);
    expect(isSaid(keys.at(-1)!.startMs + 200, keys.at(-1)!.startMs + 2_000)).toBe(true);
    expect(await recordedKeys(id)).toBe('12345#');
    expect(emulator.log.complaints).toEqual([]);
  },
);

it.concurrent('lead through a phone menu of the sandbox network', async () => {
  const id = await placeCall(service.request, { to_number: PHONE_MENU, agent_id: patientAgent });
  const isSo = (call: CallResource) => call.status === 'active';
  await callOnce(service.request, id, isSo);
  for (const digits of ['1', '2345#']) {
    const { status, body } = await pressed(id, digits);
    expect(status, JSON.stringify(body)).toBe(200);
  }
  // It hangs up when it has heard the last of them, and would wait for ever otherwise.
  expect(await callOnce(service.request, id)).toMatchObject({
    ended_reason: 'customer_hangup',
  });
  expect(await recordedKeys(id)).toBe('12345#');
});

/** Asks for keys to be pressed, which takes as long as they sound. */
function pressed(id: string, digits: string) {
  return time.during(service.request('POST', `/api/calls/${id}/digits`, { digits }));
}

/** The call that came in for a number. */
async function callTo(ours: string): Promise<string> {
  const { body } = await service.request('GET', '/api/calls?direction=inbound');
  const { data } = body as { data: { id: string; to_phone: string }[] };
  return data.find(({ to_phone }) => to_phone === ours)!.id;
}

/** The keys in the agent's side of the recording. */
async function recordedKeys(id: string): Promise<string> {
  await callWithSummary(service.request, id);
  const address = `${service.baseUrl}/api/calls/${id}/recording/audio`;
  const answer = await fetch(address, { headers: { 'x-api-key': TEST_KEY } });
  const { agent, sampleRateHz } = readStereoWav(Buffer.from(await answer.arrayBuffer()));
  expect(sampleRateHz).toBe(8000);
  return writtenKeys(agent);
}
