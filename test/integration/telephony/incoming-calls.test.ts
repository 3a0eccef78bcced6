import { createHmac } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { buildTestService, TEST_KEY, type TestService } from '#test/support/test-service.js';

const AUTH_TOKEN = 'twilio-token-that-is-long';
const FORMER_TOKEN = 'twilio-token-before-this-one';
const DOMAIN = 'voice.example.com';
const CALLED = '+14155550177';
const CALLER = '+14155550188';

let service: TestService;
let agentId: string;

beforeAll(async () => {
  service = await buildTestService({
    environment: {
      SERVER_DOMAIN: DOMAIN,
      TWILIO_ACCOUNT_SID: 'AC00000000000000000000000000000001',
      TWILIO_AUTH_TOKEN: `${AUTH_TOKEN}, ${FORMER_TOKEN}`,
    },
  });
  const { body } = await service.request('POST', '/api/agents', { name: 'Front desk' });
  agentId = (body as { id: string }).id;
  await service.request('POST', '/api/phone-numbers', { phone_number: CALLED, agent_id: agentId });
});
afterAll(() => service.close());

type Form = Readonly<Record<string, string>>;
let calls = 0;
const newCall = (more: Form = {}): Form => ({
  CallSid: `CA${String(++calls).padStart(32, '0')}`,
  From: CALLER,
  To: CALLED,
  CallStatus: 'ringing',
  Direction: 'inbound',
  CallerName: '',
  ...more,
});

function signature(path: string, form: Form, token: string): string {
  const fields = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = `https://${DOMAIN}${path}${fields.flat().join('')}`;
  return createHmac('sha1', token).update(signed).digest('base64');
}

async function post(path: string, form: Form, options: { token?: string; headers?: Form } = {}) {
  const signed = options.headers ?? {
    'x-twilio-signature': signature(path, form, options.token ?? AUTH_TOKEN),
  };
  const answer = await service.app.server.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...signed },
    payload: new URLSearchParams(form).toString(),
  });
  return { status: answer.statusCode, type: String(answer.headers['content-type']), body: answer.body };
}

async function callsOf(sid: string): Promise<CallResource[]> {
  const { body } = await service.request('GET', '/api/calls?limit=100&direction=inbound');
  const { data } = body as { data: (CallResource & { provider_call_id?: string })[] };
  return data.filter((call) => call.provider_call_id === sid);
}

const parameter = (markup: string, name: string) =>
  new RegExp(`<Parameter name="${name}" value="([^"]+)"`).exec(markup)?.[1];

// A gateway of one's own knows none of the carriers' own names, and need not.
it.each(['twilio', 'signalwire', 'telnyx', 'plivo', 'vonage', 'jambonz', 'generic', 'a-gateway'])(
  'a call of %s is told in the words of the interface, and the same call again is the same call',
  async (carrier) => {
    const headers = { 'x-api-key': TEST_KEY };
    const form = newCall();
    const answers = [
      await post(`/webhook/${carrier}/incoming`, form, { headers }),
      await post(`/webhook/${carrier}/incoming`, form, { headers }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
    expect(await callsOf(form['CallSid']!)).toMatchObject([
      { provider: carrier, from_phone: CALLER, to_phone: CALLED, agent_id: agentId },
    ]);
  },
);

describe('an incoming call', () => {
  it('is greeted, and sent to the agent of the called number', async () => {
    const form = newCall();
    const { status, type, body } = await post('/webhook/twilio/incoming', form);

    expect(status).toBe(200);
    expect(type).toContain('xml');
    expect(body).toContain('<Say');
    expect(body).toContain(`<Stream url="wss://${DOMAIN}/ws/stream/${agentId}"`);
    expect(parameter(body, 'token')).toMatch(/^st_/);
    const [call] = await callsOf(form['CallSid']!);
    expect(call).toMatchObject({ direction: 'inbound', agent_id: agentId, status: 'initiated' });
    expect(parameter(body, 'call_id')).toBe(call!.id);
  });

  it('is the same call when it is announced again, with a token of its own', async () => {
    const form = newCall();
    const first = await post('/webhook/twilio/incoming', form);
    const second = await post('/webhook/twilio/incoming', form);

    expect(parameter(second.body, 'call_id')).toBe(parameter(first.body, 'call_id'));
    expect(parameter(second.body, 'token')).not.toBe(parameter(first.body, 'token'));
    expect(await callsOf(form['CallSid']!)).toHaveLength(1);
  });

  it('is missed when the caller hangs up before anybody talks', async () => {
    const form = newCall();
    await post('/webhook/twilio/incoming', form);
    const { status } = await post('/webhook/twilio/status', { ...form, CallStatus: 'completed' });

    expect(status).toBe(200);
    expect(await callsOf(form['CallSid']!)).toMatchObject([
      { status: 'missed', ended_reason: 'caller_hangup' },
    ]);
  });

  it("takes a carrier's report about its own recording, and keeps nothing of it", async () => {
    const form = newCall();
    await post('/webhook/twilio/incoming', form);
    const url = 'https://api.twilio.com/2010-04-01/Accounts/AC1/Recordings/RE1?secret=in-it';
    const told = { CallSid: form['CallSid']!, RecordingSid: 'RE1', RecordingUrl: url };
    const taken = { status: 200, type: 'application/json; charset=utf-8', body: '{"success":true}' };
    expect(await post('/webhook/twilio/recording', { ...told, RecordingStatus: 'completed' })).toEqual(taken);
    const { body } = await service.request(
      'GET',
      `/api/calls/${(await callsOf(form['CallSid']!))[0]!.id}/events`,
    );
    expect(JSON.stringify([body, service.logLines])).not.toContain('in-it');
  });

  it('may come by /voice, whose signature tells the carrier, and for a number of nobody', async () => {
    const form = newCall({ To: '+14155550199' });
    const { status, body } = await post('/voice', form);

    expect(status).toBe(200);
    expect(body).toContain('<Connect');
    expect(await callsOf(form['CallSid']!)).toMatchObject([{ direction: 'inbound' }]);
  });

  it('may come as a GET, signed without a body', async () => {
    const path = `/webhook/twilio/incoming?${new URLSearchParams(newCall()).toString()}`;
    const answer = await service.app.server.inject({
      method: 'GET',
      url: path,
      headers: { 'x-twilio-signature': signature(path, {}, AUTH_TOKEN) },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.body).toContain(`/ws/stream/${agentId}`);
  });

  it('may come from somebody who hides their number', async () => {
    const form = newCall({ From: 'anonymous' });
    expect((await post('/webhook/twilio/incoming', form)).body).toContain('<Connect');
    expect(await callsOf(form['CallSid']!)).toMatchObject([{ from_phone: '' }]);
  });
});

describe('a request of a carrier', () => {
  it('is refused unless it is signed, with a token that is good now', async () => {
    const form = newCall();
    const bad: Form[] = [{}, { 'x-twilio-signature': 'bm90IGEgc2lnbmF0dXJl' }];
    for (const headers of bad) {
      expect(await post('/webhook/twilio/incoming', form, { headers })).toMatchObject({ status: 403 });
    }
    expect(await callsOf(form['CallSid']!)).toEqual([]);
    expect(await post('/webhook/twilio/incoming', form, { token: FORMER_TOKEN })).toMatchObject({
      status: 200,
    });
  });

  it('may carry a credential of ours instead, from whatever carrier', async () => {
    const form = newCall();
    const headers = { 'x-api-key': TEST_KEY };
    const { status, body } = await post('/webhook/homemade/incoming', form, { headers });
    expect(status).toBe(200);
    expect(body).toContain('<Connect');
    expect(await post('/voice', {}, { headers })).toMatchObject({ status: 200 });
  });

  it('about a call that nobody knows is taken in, so that it is not sent again', async () => {
    const { status, body } = await post('/webhook/twilio/status', newCall({ CallStatus: 'completed' }));
    expect({ status, body }).toEqual({ status: 200, body: '{"success":true}' });
  });
});

it('of a kind that does not exist has no address', async () => {
  expect(await post('/webhook/twilio/nonsense', newCall())).toMatchObject({ status: 404 });
});

it('that comes twice has one effect, where the carrier says that it is the same', async () => {
  const form = newCall();
  const path = '/webhook/twilio/incoming';
  const headers = {
    'x-twilio-signature': signature(path, form, AUTH_TOKEN),
    'i-twilio-idempotency-token': 'b3c1a9f0-0001',
  };
  const first = await post(path, form, { headers });
  const second = await post(path, form, { headers });
  expect(second).toEqual(first);
  const other = await post(path, form, {
    headers: { ...headers, 'i-twilio-idempotency-token': 'b3c1a9f0-0002' },
  });
  expect(other.body).not.toBe(first.body);
});
