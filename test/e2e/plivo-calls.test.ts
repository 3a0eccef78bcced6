import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '../../src/calls/call-resource.js';
import { callOnce, placeCall } from '../support/call-story.js';
import { PlivoEmulator } from '../support/emulators/plivo-emulator.js';
import { signatureOf } from '../support/emulators/plivo/signature.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { expectShortTalk, sayYes, SHORT_AGENT } from '../support/short-talk.js';

const CALLED = '+14155550123';
const MACHINE = '+14155550125';
const PATIENT = '+14155550126';
const REFUSING = '+14155550127';
const WANTS_HELP = '+14155550128';
const COLLEAGUE = '+14155550166';
const OURS = '+14155550177';
const LIMIT = { timeoutMs: 20_000 };

const { time, goodbye } = SHORT_AGENT.playbook.steps;
const HELPER = {
  ...SHORT_AGENT,
  playbook: {
    start: 'time',
    steps: {
      time: { ...time, answers: { yes: 'desk', no: 'goodbye' } },
      desk: { kind: 'transfer', text: 'One moment.', to: COLLEAGUE, otherwise: 'goodbye' },
      goodbye,
    },
  },
};

let emulator: PlivoEmulator;
let house: TestHouse;
let agent_id: string;
let helper_id: string;
let says: Int16Array;

beforeAll(async () => {
  says = await sayYes();
  emulator = await PlivoEmulator.open({
    phones: {
      [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [MACHINE]: {
        ...{ kind: 'answers', ringMs: 200 },
        answeredBy: { kind: 'machine', greetingMs: 9_000, beeps: true },
      },
      [PATIENT]: { kind: 'no_answer' },
      [REFUSING]: { kind: 'rejects', ringMs: 300 },
      [WANTS_HELP]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [COLLEAGUE]: { kind: 'answers', ringMs: 200, staysMs: 400 },
    },
  });
  house = await buildTestHouse({
    listen: true,
    environment: {
      CARRIER: 'plivo',
      PLIVO_AUTH_ID: emulator.authId,
      PLIVO_AUTH_TOKEN: `${emulator.authToken}, another-good-token`,
      PLIVO_API_URL: emulator.url,
      PLIVO_CALLS_PER_SECOND: '50',
    },
  });
  agent_id = await createAgent(SHORT_AGENT);
  helper_id = await createAgent(HELPER);
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id });
});

afterAll(async () => {
  await house?.close();
  await emulator?.close();
});

async function createAgent(agent: object): Promise<string> {
  const { status, body } = await house.request('POST', '/api/agents', agent);
  expect(status, JSON.stringify(body)).toBe(201);
  return (body as { id: string }).id;
}

const callTo = (phone: string) => emulator.calls.find(({ order }) => order['to'] === phone.slice(1))!;

function addressOf(kind: string): string {
  return `${house.baseUrl.replace('127.0.0.1', 'localhost')}/webhook/plivo/${kind}`;
}

async function callsOf(line: string): Promise<CallResource[]> {
  const { body } = await house.request('GET', '/api/calls?limit=100');
  return (body as { data: CallResource[] }).data.filter(({ provider_call_id }) => provider_call_id === line);
}

async function post(path: string, form: Record<string, string>, authToken = emulator.authToken) {
  const nonce = String(posted++);
  const url = addressOf(path);
  const fields = new URLSearchParams(form);
  const answer = await fetch(house.baseUrl + new URL(url).pathname, {
    method: 'POST',
    body: fields,
    headers: {
      'x-plivo-signature-v3': signatureOf(authToken, { url, form: fields, nonce }),
      'x-plivo-signature-v3-nonce': nonce,
    },
  });
  return { status: answer.status, body: await answer.text() };
}
let posted = 1_000;

// Sound takes its time: they talk at once.
describe.concurrent('Plivo', () => {
  it('calls out: the phone rings, somebody talks, and the line is hung up', async () => {
    const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
    await expectShortTalk(house.request, id, 'plivo');

    const call = callTo(CALLED);
    await call.ended;
    // By request, or by the document that follows the closed stream: whichever is there first.
    expect(call.end!.source).toMatch(/^(API Request|Answer XML)$/);
    expect(call.status).toBe('completed');
    expect(call.person!.heardSpeechMs).toBeGreaterThan(1_000);
    expect(await callsOf(call.callId)).toMatchObject([{ id }]);
    expect(await callsOf(call.requestId!)).toEqual([]);
  });

  it('is called: greeted by the carrier, answered by the agent of the number', async () => {
    const call = emulator.callIn({
      ...{ from: '+14155550188', to: OURS, talk: { sentences: [says] } },
      ...{ answerUrl: addressOf('incoming'), hangupUrl: addressOf('status') },
    });
    await call.ended;

    const [inbound] = await callsOf(call.callId);
    expect(inbound).toMatchObject({ direction: 'inbound', from_phone: '+14155550188', to_phone: OURS });
    await expectShortTalk(house.request, inbound!.id, 'plivo');
    expect(call.said.join(' ')).toContain('thank you for calling');
  });

  it('hands a call over: the talk ends, and the line goes on with somebody else', async () => {
    const id = await placeCall(house.request, { to_number: WANTS_HELP, agent_id: helper_id });
    expect(await callOnce(house.request, id, LIMIT)).toMatchObject({ ended_reason: 'transferred' });
    await callTo(WANTS_HELP).ended;
    expect(callTo(WANTS_HELP).legs).toEqual([COLLEAGUE]);
  });

  it('hangs up on a machine', async () => {
    const id = await placeCall(house.request, { to_number: MACHINE, agent_id });
    expect(await callOnce(house.request, id, LIMIT)).toMatchObject({ ended_reason: 'voicemail' });
  });

  it('lets a phone ring no longer than the call is wanted', async () => {
    const id = await placeCall(house.request, { to_number: PATIENT, agent_id });
    const isTold = ({ provider_call_id }: CallResource) => provider_call_id === callTo(PATIENT).callId;
    await callOnce(house.request, id, { ...LIMIT, isSo: isTold });
    expect(await house.request('POST', `/api/calls/${id}/disconnect`)).toMatchObject({ status: 200 });
    await callTo(PATIENT).ended;
    expect(callTo(PATIENT)).toMatchObject({ status: 'cancel', end: { code: 1000 } });
  });
});

describe('a house whose carrier is Plivo', () => {
  it('has nothing to complain of, and keeps numbers and tokens out of its log', () => {
    expect(emulator.log.complaints).toEqual([]);
    const logged = JSON.stringify(house.logLines);
    for (const secret of [CALLED.slice(1), COLLEAGUE.slice(1), emulator.authToken])
      expect(logged).not.toContain(secret);
  });

  it('dials once when the answer to its request is lost, and all callbacks come twice', async () => {
    emulator.faults.creates.push({ kind: 'lost_answer' });
    emulator.faults.callback = () => ({ copies: 2 });
    const id = await placeCall(house.request, { to_number: REFUSING, agent_id });
    const call = await callOnce(house.request, id, LIMIT);
    const dialled = emulator.calls.filter(({ order }) => order['to'] === REFUSING.slice(1));
    expect(dialled).toHaveLength(1);
    expect(call).toMatchObject({ ended_reason: 'rejected', provider_call_id: dialled[0]!.callId });
    emulator.faults.callback = () => ({});
  });

  it('knows a call that is announced again, and misses one whose caller has gone', async () => {
    const form = {
      ...{ CallUUID: 'call-a', From: CALLED.slice(1), To: OURS.slice(1), CallStatus: 'ringing' },
      ...{ Direction: 'inbound', Event: 'StartApp', CallerName: '' },
    };
    const [first, second] = [await post('incoming', form), await post('incoming', form)];
    expect(first).toMatchObject({ status: 200 });
    expect(second.body).toContain('keepCallAlive="true"');
    expect(await callsOf('call-a')).toHaveLength(1);

    const end = { Event: 'Hangup', CallStatus: 'completed', HangupCauseCode: '4000', HangupSource: 'Caller' };
    expect(await post('status', { ...form, ...end })).toMatchObject({ status: 200 });
    expect(await callsOf('call-a')).toMatchObject([{ status: 'missed', ended_reason: 'caller_hangup' }]);
  });

  it('believes nothing that is not signed with a token of the account', async () => {
    const form = { CallUUID: 'call-b', From: '14155550188', To: OURS.slice(1) };
    expect(await post('incoming', form, 'nobodys-token')).toMatchObject({ status: 403 });
    expect(await callsOf('call-b')).toEqual([]);
    expect(await post('incoming', form, 'another-good-token')).toMatchObject({ status: 200 });
  });
});
