import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { XMLValidator } from 'fast-xml-parser';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CallResource } from '#calls/resources/call-resource.js';
import { CARRIER_REQUEST_KINDS } from '#telephony/port/carrier-webhooks.js';
import { REMOTE_CARRIERS } from '#telephony/remote-carriers.js';
import { callOnce, placeCall } from '#test/support/call-story.js';
import { TEST_KEY } from '#test/support/test-service.js';
import { leastProcessorMs } from '#test/support/processor-time.js';
import { SECRET_MARK, signedForm, startCarriersService, type CarriersService } from './carriers-service.js';
import { MALFORMED_REQUESTS } from './malformed-requests.js';

const FORM = 'application/x-www-form-urlencoded';
const CALLED = '+14155550177';
const CALLER = '+14155550188';
/** Where a carrier waits for a document. */
const WAITING = [
  '/voice',
  ...['twilio', 'telnyx', 'plivo', 'vonage', 'jambonz', 'homemade'].map(
    (name) => `/webhook/${name}/incoming`,
  ),
  ...['answer', 'stream-ended', 'transfer'].flatMap((kind) => [
    `/webhook/twilio/${kind}`,
    `/webhook/vonage/${kind}/dial_${'0'.repeat(26)}`,
  ]),
];
const EVERY_CARRIER = [...REMOTE_CARRIERS.map(({ name }) => name), 'homemade', 'sandbox', 'constructor'];

let service: CarriersService;
beforeAll(async () => {
  service = await startCarriersService();
});
afterAll(() => service.close());

type Headers = Readonly<Record<string, string>>;

async function ask(url: string, body: string | Buffer, headers: Headers, method = 'POST') {
  const answer = await service.app.server.inject({ method: method as 'POST', url, headers, payload: body });
  return { status: answer.statusCode, type: String(answer.headers['content-type']), body: answer.body };
}

/** With a credential of ours: past the signature, to whatever reads the request. */
const askTrusted = (url: string, body: string | Buffer, contentType: string | null = FORM) =>
  ask(url, body, { 'x-api-key': TEST_KEY, ...(contentType === null ? {} : { 'content-type': contentType }) });

async function askSigned(carrier: string, path: string, said: Record<string, string>) {
  const form = new URLSearchParams(said);
  return ask(path, form.toString(), signedForm(carrier, path, form));
}

function expectDocument({ status, type, body }: Awaited<ReturnType<typeof ask>>, ofWhat: string): void {
  expect(status, `${ofWhat}: ${body}`).toBe(200);
  if (type.includes('xml')) expect(XMLValidator.validate(body), ofWhat).toBe(true);
  else if (body !== '{"success":true}') expect(JSON.parse(body), ofWhat).toBeInstanceOf(Array);
  expect(body, ofWhat).not.toMatch(/Evil|900123|__proto__|\0/);
}

const call = async (id: string) => (await service.request('GET', `/api/calls/${id}`)).body as CallResource;

/** Our phone rings somebody, through Twilio. */
async function ring(): Promise<{ id: string; dialRef: string; sid: string }> {
  const before = service.placed.length;
  const id = await placeCall(service.request, { to_number: '+14155550123' });
  const isSo = () => service.placed.length > before;
  await callOnce(service.request, id, (known) => isSo() && known.provider_call_id !== null);
  return { id, dialRef: service.lastDialRef(), sid: service.placed.at(-1)! };
}

describe('a request that is rubbish', () => {
  it.each(MALFORMED_REQUESTS)(
    '%s: a document that can be played, from every carrier',
    async (name, body, contentType) => {
      for (const carrier of EVERY_CARRIER)
        expectDocument(
          await askTrusted(`/webhook/${carrier}/incoming`, body, contentType),
          `${carrier}, ${name}`,
        );
      expectDocument(await askTrusted('/voice', body, contentType), name);
    },
  );

  it.each(MALFORMED_REQUESTS)(
    '%s: no fault of ours, whatever it is about',
    async (name, body, contentType) => {
      for (const kind of CARRIER_REQUEST_KINDS.filter((known) => known !== 'incoming')) {
        for (const carrier of REMOTE_CARRIERS.map((known) => known.name)) {
          const { status } = await askTrusted(
            `/webhook/${carrier}/${kind}/dial_${'0'.repeat(26)}`,
            body,
            contentType,
          );
          expect(status, `${carrier}/${kind}, ${name}`).toBe(200);
        }
      }
    },
  );

  it.each(MALFORMED_REQUESTS)('%s: is refused without a signature', async (_name, body, contentType) => {
    const empty = {
      'x-twilio-signature': '',
      'x-signalwire-signature': '',
      'x-plivo-signature-v3': '',
      authorization: 'Bearer ',
      'x-plivo-signature-v3-nonce': '',
      'telnyx-signature-ed25519': '',
      'telnyx-timestamp': '',
      'jambonz-signature': '',
      ...(contentType === null ? {} : { 'content-type': contentType }),
    };
    for (const headers of [{}, empty])
      expect(await ask('/voice', body, headers)).toMatchObject({ status: 403 });
  });

  it('is not taken apart for long: the sound of calls would have to wait', async () => {
    const headers = {
      'x-twilio-signature': 'x',
      'x-plivo-signature-v3': 'x',
      'x-plivo-signature-v3-nonce': '1',
    };
    const answer = (form: string) => ask('/voice', form, { ...headers, 'content-type': FORM });
    const ofOneFieldMs = await leastProcessorMs(() => answer('a'.repeat(256 * 1024)));
    const ofManyMs = await leastProcessorMs(() => answer('a&'.repeat(128 * 1024)));
    expect(ofManyMs).toBeLessThan(2 * ofOneFieldMs);
  });

  it.each([
    ';;;',
    '',
    'x',
    'text/',
    '/',
    'a b/c',
    'application/x-www-form-urlencoded;;;=',
    `text/${'x'.repeat(4_000)}`,
  ])('of a type that is none (%j) is one like any other', async (type) => {
    for (const path of WAITING) {
      expect(await ask(path, 'CallSid=CA1', { 'content-type': type }), path).toMatchObject({ status: 403 });
      expectDocument(await askTrusted(path, 'CallSid=CA1', type), path);
    }
    const signed = signedForm('twilio', '/voice', new URLSearchParams({ CallSid: 'CA-odd' }));
    const { status } = await ask('/voice', 'CallSid=CA-odd', { ...signed, 'content-type': type });
    expect([200, 403]).toContain(status);
  });

  it('of more than a carrier says is refused before it is read, or gets a document that says so', async () => {
    const large = 'a'.repeat(256 * 1024 + 1);
    for (const path of WAITING) {
      expect(await ask(path, large, { 'content-type': FORM }), path).toMatchObject({ status: 403 });
      const answer = await askTrusted(path, large);
      expectDocument(answer, path);
      expect(answer.body, path).toContain('sorry');
    }
    const signed = signedForm('twilio', '/voice', new URLSearchParams({ CallSid: large }));
    expect((await ask('/voice', `CallSid=${large}`, signed)).status).toBe(403);
    // Whoever only tells something is told what was wrong, and nobody waits.
    expect((await askTrusted('/webhook/twilio/status', large)).status).toBe(413);
  });

  it('of more than it says, or of no end, gets an answer over a real connection, too', async () => {
    const port = Number(new URL(service.baseUrl).port);
    const sent = async (head: string, body: string) => {
      const socket = connect(port, '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(`POST /voice HTTP/1.1\r\nhost: x\r\n${head}\r\n\r\n${body}`);
      const [answer] = (await once(socket, 'data')) as [Buffer];
      socket.destroy();
      return answer.toString();
    };
    const chunk = `40000\r\n${'a'.repeat(0x40000)}\r\n`;
    const asked = ['', `x-api-key: ${TEST_KEY}\r\n`].flatMap((key) => {
      const expected = key === '' ? /^HTTP\/1.1 403/ : /^HTTP\/1.1 200 [^]*<Say/;
      return [
        { expected, answer: sent(`${key}content-length: 300000`, 'a') },
        { expected, answer: sent(`${key}transfer-encoding: chunked`, chunk + chunk) },
      ];
    });
    // Each answer takes seconds to come: they are waited for together.
    for (const { expected, answer } of asked) expect(await answer).toMatch(expected);
  });

  it.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])('of method %s does nothing', async (method) => {
    for (const path of ['/voice', '/webhook/twilio/incoming']) {
      const { status } = await ask(`${path}?CallSid=CA-${method}`, '', { 'x-api-key': TEST_KEY }, method);
      expect([204, 404, 405]).toContain(status);
    }
    expect(await isKnown(`CA-${method}`)).toBe(false);
  });

  it.each(['%00', 'a%0ab', '..%2f..', '%3cscript%3e', 'ä', 'x'.repeat(300), '%zz', '-'])(
    'of a carrier called %s has no address',
    async (carrier) => {
      const { status, body } = await askTrusted(`/webhook/${carrier}/incoming`, 'CallSid=CA1');
      expect([400, 404]).toContain(status);
      expect(body).not.toContain('<script');
    },
  );
});

/** Whether a call came in of which a carrier has such an id. */
async function isKnown(providerCallId: string): Promise<boolean> {
  const { body } = await service.request('GET', '/api/calls?direction=inbound&limit=100');
  return (body as { data: CallResource[] }).data.some((known) => known.provider_call_id === providerCallId);
}

describe('a call of ours', () => {
  const path = (carrier: string, kind: string, dialRef: string) => `/webhook/${carrier}/${kind}/${dialRef}`;

  it('is not touched by another carrier, though it signs well and knows the reference', async () => {
    const { id, dialRef, sid } = await ring();
    const lies: Record<string, string>[] = [
      { CallSid: sid, CallStatus: 'completed' },
      { CallSid: 'CA-other', CallStatus: 'in-progress' },
      { CallSid: sid, AnsweredBy: 'machine_start' },
    ];
    for (const said of lies) {
      for (const kind of ['status', 'machine', 'answer'])
        expect((await askSigned('generic', path('generic', kind, dialRef), said)).status).toBe(200);
      expect((await askSigned('generic', path('twilio', 'status', dialRef), said)).status).toBe(403);
    }
    const { body } = await askSigned('generic', path('generic', 'answer', dialRef), { CallSid: sid });
    expect(body).not.toContain('st_');
    expect(await call(id)).toMatchObject({ status: 'connecting', ended_at: null, provider_call_id: sid });
    await askSigned('twilio', path('twilio', 'status', dialRef), { CallSid: sid, CallStatus: 'no-answer' });
    expect(await call(id)).toMatchObject({ ended_reason: 'no_answer' });
  });

  it('ends once, in whatever order and however often it is told', async () => {
    const { id, dialRef, sid } = await ring();
    const statuses = [
      'completed',
      'ringing',
      'in-progress',
      'busy',
      'completed',
      'no-answer',
      'ringing',
      'failed',
    ];
    const told = statuses.map((CallStatus) => ({ CallSid: sid, CallStatus }));
    for (const said of [...told, ...told]) {
      expect((await askSigned('twilio', path('twilio', 'status', dialRef), said)).status).toBe(200);
      expect((await askSigned('twilio', '/webhook/twilio/status', said)).status).toBe(200);
    }
    expect(await call(id)).toMatchObject({ ended_reason: 'customer_hangup' });
    const late = await askSigned('twilio', path('twilio', 'answer', dialRef), { CallSid: sid });
    expect(late.body).toContain('<Hangup');
    expect(late.body).not.toContain('st_');
  });

  it('may be unknown, which is no reason to be told again', async () => {
    const unknown = `dial_${'7'.repeat(26)}`;
    const said = { CallSid: 'CA-nobody', CallStatus: 'completed', AnsweredBy: 'machine_start' };
    for (const kind of CARRIER_REQUEST_KINDS)
      expect((await askSigned('twilio', path('twilio', kind, unknown), said)).status).toBe(200);
    expect((await askSigned('twilio', path('twilio', 'status', 'dial_1'), said)).status).toBe(404);
  });
});

describe('a client in no hurry', () => {
  it('keeps nobody waiting', async () => {
    const idle: Socket[] = [];
    for (let i = 0; i < 200; i++) {
      const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1').on('error', () => {});
      await once(socket, 'connect');
      socket.write(
        `POST /voice HTTP/1.1\r\nhost: x\r\ncontent-type: ${FORM}\r\ncontent-length: 1000\r\n\r\nCallSid=`,
      );
      idle.push(socket);
    }
    const headers = { 'x-api-key': TEST_KEY, 'content-type': FORM };
    const url = `${service.baseUrl}/webhook/twilio/incoming`;
    const body = new URLSearchParams({ CallSid: 'CA-in-time', From: CALLER, To: CALLED });
    const answer = await fetch(url, { method: 'POST', headers, body: body.toString() });
    expect(await answer.text()).toContain('<Connect');
    for (const socket of idle) socket.destroy();
  });
});

it('nothing of all this is in the log: no number, no token, no secret', () => {
  expect(service.logLines.length).toBeGreaterThan(0);
  const lines = JSON.stringify(service.logLines);
  for (const said of [CALLED, CALLER, '4155550123', TEST_KEY, SECRET_MARK, 'Evil', 'CA-nobody'])
    expect(lines.includes(said), said).toBe(false);
  expect(/st_[A-Za-z0-9_-]{20}/.test(lines)).toBe(false);
  expect(service.logLines.filter(({ level }) => level === 'error')).toEqual([]);
});
