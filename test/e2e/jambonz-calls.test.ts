import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/kernel/clock.js';
import { callOnce, placeCall } from '../support/call-story.js';
import { JambonzEmulator } from '../support/emulators/jambonz-emulator.js';
import { signatureOf } from '../support/emulators/jambonz/hooks.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { expectShortTalk, sayYes } from '../support/short-talk.js';

const CALLED = '+14155550123';
const WANTS_HELP = '+14155550124';
const MACHINE = '+14155550125';
const COLLEAGUE = '+14155550166';
const OURS = '+14155550177';
const INCOMING = '/webhook/jambonz/incoming';

const question = (yes: string) => ({
  kind: 'ask',
  text: 'Do you have time tomorrow?',
  expect: { kind: 'yes_no' },
  answers: { yes, no: 'goodbye' },
  otherwise: 'goodbye',
});
const STEPS = {
  time: question('thanks'),
  help: question('desk'),
  desk: { kind: 'transfer', text: 'One moment.', to: COLLEAGUE, otherwise: 'goodbye' },
  thanks: { kind: 'end', text: 'Thank you.', resolution_achieved: true },
  goodbye: { kind: 'end', text: 'Goodbye.', resolution_achieved: false },
};

let emulator: JambonzEmulator;
let house: TestHouse;
let deskId: string;
let helperId: string;
let says: Int16Array;

async function createAgent(start: 'time' | 'help'): Promise<string> {
  const { thanks, desk, goodbye } = STEPS;
  const steps =
    start === 'time' ? { time: STEPS.time, thanks, goodbye } : { help: STEPS.help, desk, goodbye };
  const agent = { name: 'Front desk', voice: 'rms', playbook: { start, steps } };
  const { body } = await house.request('POST', '/api/agents', agent);
  return (body as { id: string }).id;
}

beforeAll(async () => {
  says = await sayYes();
  emulator = await JambonzEmulator.open({
    phones: {
      [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [WANTS_HELP]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [COLLEAGUE]: { kind: 'answers', ringMs: 200, staysMs: 400 },
      [MACHINE]: {
        ...{ kind: 'answers', ringMs: 200 },
        answeredBy: { kind: 'machine', greetingMs: 1_500, beeps: true },
      },
    },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      CARRIER: 'jambonz',
      JAMBONZ_ACCOUNT_SID: emulator.accountSid,
      JAMBONZ_API_KEY: emulator.apiKey,
      JAMBONZ_WEBHOOK_SECRET: emulator.webhookSecret,
      JAMBONZ_API_URL: emulator.url,
      JAMBONZ_CALLS_PER_SECOND: '50',
      JAMBONZ_MACHINE_DETECTION: 'on',
    },
  });
  deskId = await createAgent('time');
  helperId = await createAgent('help');
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id: deskId });
}, 30_000);

afterAll(async () => {
  await house?.close();
  await emulator?.close();
});

function callIn(from: string, more: { talk?: { sentences: Int16Array[] }; staysMs?: number }) {
  const webhookUrl = `${house.baseUrl}${INCOMING}`;
  const statusUrl = `${house.baseUrl}/webhook/jambonz/status`;
  return emulator.callIn({ from, to: OURS, webhookUrl, statusUrl, ...more });
}

const callTo = (phone: string) => emulator.calls.find(({ info }) => info.to === phone)!;

async function inboundFrom(phone: string) {
  const { body } = await house.request('GET', '/api/calls?direction=inbound');
  const { data } = body as { data: { id: string; from_phone: string; to_phone: string }[] };
  return data.filter(({ from_phone }) => from_phone === phone);
}

// Sound takes its time: they talk at once.
describe.concurrent('jambonz', () => {
  it('calls out: the phone rings, somebody talks, and the line is hung up', async () => {
    const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id: deskId });
    await expectShortTalk(house.request, id, 'jambonz');

    const call = callTo(CALLED);
    await call.ended;
    expect(call.info.statuses).toEqual(['ringing', 'in-progress', 'completed']);
    expect(call.person!.heardSpeechMs).toBeGreaterThan(1_000);
    expect(emulator.log.complaints).toEqual([]);
    const logged = JSON.stringify(house.logLines);
    for (const secret of [CALLED, emulator.apiKey, emulator.webhookSecret])
      expect(logged).not.toContain(secret);
  });

  it('is called: greeted by the carrier, answered by the agent of the number', async () => {
    const call = callIn('+14155550188', { talk: { sentences: [says] } });
    await call.ended;

    const [inbound] = await inboundFrom('+14155550188');
    expect(inbound).toMatchObject({ to_phone: OURS });
    await expectShortTalk(house.request, inbound!.id, 'jambonz');
    expect(call.said.join(' ')).toContain('thank you for calling');
    expect(emulator.log.complaints).toEqual([]);
  });

  it('hands a call over: the talk ends, and the line goes on with somebody else', async () => {
    const id = await placeCall(house.request, { to_number: WANTS_HELP, agent_id: helperId });
    expect(await callOnce(house.request, id, { timeoutMs: 20_000 })).toMatchObject({
      ended_reason: 'transferred',
    });

    const call = callTo(WANTS_HELP);
    await call.ended;
    expect(call.legs).toMatchObject([{ to: COLLEAGUE, from: call.info.from, statuses: expect.anything() }]);
    expect(call.legs[0]!.statuses).toEqual(['ringing', 'in-progress', 'completed']);
    // What the other leg reports is no news of the call.
    expect(emulator.log.sent('status').some(({ form }) => form['parent_call_sid'] === call.sid)).toBe(true);
    expect(emulator.log.complaints).toEqual([]);
  });

  it('hangs up on a machine', async () => {
    const id = await placeCall(house.request, { to_number: MACHINE, agent_id: deskId });
    expect(await callOnce(house.request, id, { timeoutMs: 20_000 })).toMatchObject({
      ended_reason: 'voicemail',
    });
  });
});

it('misses a caller who hangs up while the greeting is said', async () => {
  const call = callIn('+14155550189', { staysMs: 200 });
  await call.ended;
  await expect
    .poll(() => inboundFrom('+14155550189'))
    .toMatchObject([{ status: 'missed', ended_reason: 'caller_hangup' }]);
});

it('takes a call that is announced twice for one, and believes nothing that is not signed', async () => {
  const payload = JSON.stringify({
    ...{ call_sid: 'b5e39996-bd2f-4bda-b928-355147186a2a', direction: 'inbound', call_status: 'trying' },
    ...{ from: '14155550190', to: OURS },
  });
  const announce = (secondsAgo: number, secret = emulator.webhookSecret) => {
    const time = Math.floor(systemClock.wallMs() / 1_000) - secondsAgo;
    const headers = {
      'content-type': 'application/json',
      'jambonz-signature': signatureOf(secret, time, payload),
    };
    return house.app.server.inject({ method: 'POST', url: INCOMING, headers, payload });
  };
  expect(await announce(0, 'wh_secret_of_another')).toMatchObject({ statusCode: 403 });
  expect(await announce(400)).toMatchObject({ statusCode: 403 });
  expect(await inboundFrom('+14155550190')).toEqual([]);

  const answers = [await announce(1), await announce(0)];
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  expect(answers[0]!.json()).toMatchObject([
    { verb: 'answer' },
    { verb: 'say' },
    { verb: 'listen' },
    { verb: 'hangup' },
  ]);
  expect(await inboundFrom('+14155550190')).toHaveLength(1);
});
