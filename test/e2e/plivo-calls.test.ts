import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '../../src/calls/call-resource.js';
import { createFliteSpeaking } from '../../src/speech/flite/flite-speaking.js';
import { createSpeechPool } from '../../src/speech/threads/speech-pool.js';
import { callOnce, callWithSummary, placeCall, transcriptOf, wordsOf } from '../support/call-story.js';
import { PlivoEmulator } from '../support/emulators/plivo-emulator.js';
import { signatureOf } from '../support/emulators/plivo/signature.js';
import { buildTestHouse, type TestHouse } from '../support/house.js';
import { createMemoryLog } from '../support/memory-log.js';
import { spoken } from '../support/telephone-line.js';

const CALLED = '+14155550123';
const MACHINE = '+14155550125';
const PATIENT = '+14155550126';
const REFUSING = '+14155550127';
const OURS = '+14155550177';
const LIMIT = { timeoutMs: 20_000 };

const AGENT = {
  name: 'Front desk',
  voice: 'rms',
  initial_message: 'Do you have time tomorrow?',
  playbook: {
    start: 'time',
    steps: {
      time: {
        kind: 'ask',
        text: '{{initial_message}}',
        expect: { kind: 'yes_no' },
        answers: { yes: 'thanks', no: 'thanks' },
        otherwise: 'thanks',
      },
      thanks: { kind: 'end', text: 'Thank you.', resolution_achieved: true },
    },
  },
};

let emulator: PlivoEmulator;
let house: TestHouse;
let agent_id: string;
let says: Int16Array;

beforeAll(async () => {
  const pool = createSpeechPool({ threads: 1, log: createMemoryLog().log });
  says = await spoken(createFliteSpeaking({ pool }), 'yes I have time', { voice: 'rms' });
  await pool.close();
  emulator = await PlivoEmulator.open({
    phones: {
      [CALLED]: { kind: 'answers', ringMs: 200, talk: { sentences: [says] } },
      [MACHINE]: {
        ...{ kind: 'answers', ringMs: 200 },
        answeredBy: { kind: 'machine', greetingMs: 9_000, beeps: true },
      },
      [PATIENT]: { kind: 'no_answer' },
      [REFUSING]: { kind: 'rejects', ringMs: 300 },
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
  const { body } = await house.request('POST', '/api/agents', AGENT);
  agent_id = (body as { id: string }).id;
  await house.request('POST', '/api/phone-numbers', { phone_number: OURS, agent_id });
});

afterAll(async () => {
  await house?.close();
  await emulator?.close();
});

function addressOf(kind: string): string {
  return `${house.baseUrl.replace('127.0.0.1', 'localhost')}/webhook/plivo/${kind}`;
}

async function callsOf(line: string): Promise<CallResource[]> {
  const { body } = await house.request('GET', '/api/calls?limit=100');
  return (body as { data: CallResource[] }).data.filter(({ provider_call_id }) => provider_call_id === line);
}

async function expectTalk(id: string): Promise<void> {
  expect(await callOnce(house.request, id, LIMIT)).toMatchObject({
    ...{ status: 'completed', ended_reason: 'agent_hangup', provider: 'plivo' },
  });
  // With its summary there is its recording.
  await callWithSummary(house.request, id);
  const entries = await transcriptOf(house.request, id);
  const said = entries.map(({ speaker, text }) => `${speaker}: ${wordsOf(text)}`);
  expect(said).toEqual(['agent: do you have time tomorrow', 'customer: yes i have time', 'agent: thank you']);
}

async function post(path: string, form: Record<string, string>, authToken = emulator.authToken) {
  const nonce = String(Object.keys(form).length + posted++);
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

describe('a house whose carrier is Plivo', () => {
  it('calls and is called: somebody talks, is understood and recorded, and the line is hung up', async () => {
    const incoming = emulator.callIn({
      ...{ from: CALLED, to: OURS, talk: { sentences: [says] } },
      ...{ answerUrl: addressOf('incoming'), hangupUrl: addressOf('status') },
    });
    const id = await placeCall(house.request, { to_number: CALLED, from_number: OURS, agent_id });
    await expectTalk(id);
    const outgoing = emulator.calls.find(({ requestId }) => requestId !== null)!;
    await Promise.all([outgoing.ended, incoming.ended]);
    // By request, or by the document that follows the closed stream: whichever is there first.
    expect(outgoing).toMatchObject({
      ...{
        status: 'completed',
        end: { source: expect.stringMatching(/^(API Request|Answer XML)$/) as string },
      },
    });
    expect(outgoing.person!.heardSpeechMs).toBeGreaterThan(1_000);
    expect(await callsOf(outgoing.callId)).toMatchObject([{ id }]);
    expect(await callsOf(outgoing.requestId!)).toEqual([]);

    const [inbound] = await callsOf(incoming.callId);
    expect(inbound).toMatchObject({ direction: 'inbound', from_phone: CALLED, to_phone: OURS });
    await expectTalk(inbound!.id);
    expect(incoming.said.join(' ')).toContain('thank you for calling');
    expect(emulator.log.complaints).toEqual([]);
  });

  it('hangs up on a machine, and on a phone that rings for nobody', async () => {
    const [machine, unwanted] = await Promise.all(
      [MACHINE, PATIENT].map((to_number) => placeCall(house.request, { to_number, agent_id })),
    );
    const ringing = () => emulator.calls.find(({ order }) => order['to'] === PATIENT.slice(1))!;
    await callOnce(house.request, unwanted!, {
      ...LIMIT,
      isSo: ({ provider_call_id }) => provider_call_id === ringing().callId,
    });
    expect(await house.request('POST', `/api/calls/${unwanted!}/disconnect`)).toMatchObject({ status: 200 });
    await ringing().ended;
    expect(ringing()).toMatchObject({ status: 'cancel', end: { code: 1000 } });
    expect(await callOnce(house.request, machine!, LIMIT)).toMatchObject({ ended_reason: 'voicemail' });
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
