import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { expect, it } from 'vitest';
import { Problem } from '#kernel/errors/errors.js';
import { settle } from '#test/support/fake-clock.js';
import { openCarrierRoutes, type CarrierRouteOptions } from './carrier-routes.js';

const WAITING = ['/voice', '/webhook/twilio/incoming', '/webhook/vonage/answer', '/webhook/plivo/transfer'];
const TELLING = ['/webhook/twilio/status', '/webhook/signalwire/status'];
const DOWN = () => Promise.reject(new Problem('unavailable', 'The database is away.'));

const problem = async (): Promise<never> => {
  throw new Error('nobody expected this');
};

it.each([
  ['a carrier has its document', true, 200],
  ['a stranger is turned away', false, 403],
])(
  '%s only once all is heard that is too much: a broken connection would hide it',
  async (_who, knows, status) => {
    const carrierRoutes = await openCarrierRoutes({ allowsUnsigned: knows });
    const url = await carrierRoutes.server.listen({ host: '127.0.0.1', port: 0 });
    const sizeBytes = 8 * 1024 * 1024;
    const sent = request(`${url}/voice`, {
      method: 'POST',
      headers: { 'content-length': String(sizeBytes) },
    });
    const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    sent.write(Buffer.alloc(1024 * 1024));
    // What comes after it has been answered by then.
    for (let i = 0; i < 3; i += 1) expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(isAnswered).toBe(false);
    sent.end(Buffer.alloc(sizeBytes - 1024 * 1024));
    const [message] = await answer;
    expect(message.statusCode).toBe(status);
    message.resume();
    await carrierRoutes.close();
  },
);

it('strangers are turned away in one way, however often they come', async () => {
  const { ask, close } = await openCarrierRoutes({ perMinute: 2 });
  for (let round = 0; round < 2; round++)
    for (const url of WAITING) expect((await ask(url)).status, url).toBe(403);
  expect((await ask(TELLING[0]!)).status).toBe(429);
  await close();
});

it.each<[string, CarrierRouteOptions]>([
  ['nobody can be asked who they are', { authenticate: DOWN }],
  ['asking who they are goes wrong', { authenticate: problem }],
  ['signatures cannot be looked at', { spoil: (board) => (board.senderOf = problem) }],
])('who cannot be known is turned away, where %s', async (_what, trouble) => {
  const { ask, close } = await openCarrierRoutes(trouble);
  for (const url of WAITING) expect((await ask(url)).status, url).toBe(403);
  // A report may come again, when it can be known whose it is.
  for (const url of TELLING) expect((await ask(url)).status, url).toBeGreaterThanOrEqual(500);
  await close();
});

it.each(['/webhook/twilio/nothing', '/webhook/twi.lio/incoming', '/webhook/twilio/status/dial_7'])(
  'there is nothing at %s, which no carrier was given',
  async (url) => {
    const { ask, close } = await openCarrierRoutes({ allowsUnsigned: true });
    const { status, body } = await ask(url);
    expect([status, JSON.parse(body)]).toEqual([404, expect.objectContaining({ code: 'route_not_found' })]);
    await close();
  },
);

it('the name of a carrier may be written in capitals', async () => {
  const { ask, close } = await openCarrierRoutes({ allowsUnsigned: true });
  expect((await ask('/webhook/PLIVO/transfer')).body).toBe((await ask('/webhook/plivo/transfer')).body);
  expect((await ask('/webhook/TWILIO/incoming')).status).toBe(200);
  await close();
});

it('whoever waits gets a document, and who only tells is asked to come again, when the store is down', async () => {
  const host = { receive: DOWN, answer: DOWN, report: DOWN };
  const { ask, close } = await openCarrierRoutes({ host, allowsUnsigned: true });
  expect((await ask('/voice')).body).toMatch(/<Say[^>]*>.*sorry.*<\/Say><Hangup/);
  expect((await ask('/webhook/vonage/answer')).body).toMatch(/^\[\{"action":"talk","text":"We are sorry/);
  for (const url of WAITING) expect((await ask(url)).status, url).toBe(200);
  for (const url of TELLING) expect((await ask(url)).status, url).toBe(503);
  await close();
});

it('whoever calls in while the service is closing is turned away in words that the carrier understands', async () => {
  const { ask, drain, close } = await openCarrierRoutes({ allowsUnsigned: true });
  drain();
  expect((await ask('/voice')).body).toContain('<Reject reason="busy"');
  for (const url of [...WAITING, ...TELLING]) expect((await ask(url)).status, url).toBe(200);
  await close();
});

it('whoever waits gets a document, though nobody can say in time what is to become of the call', async () => {
  let arrived!: () => void;
  const isThere = new Promise<void>((resolve) => (arrived = resolve));
  const never = () => (arrived(), new Promise<never>(() => {}));
  const { ask, clock, close } = await openCarrierRoutes({ host: { receive: never }, allowsUnsigned: true });
  const answer = ask('/voice');
  await isThere;
  await clock.advance(4_499);
  let isAnswered = false;
  void answer.then(() => (isAnswered = true));
  await settle();
  expect(isAnswered).toBe(false);
  await clock.advance(1);
  expect(await answer).toMatchObject({ status: 200 });
  expect((await answer).body).toContain('sorry');
  await close();
});

it('a refused request is logged once a minute, with the address that was checked and the reason, and counted', async () => {
  const { ask, close, clock, logLines, counters } = await openCarrierRoutes({});
  await ask('/webhook/scripted/status?From=%2B14155550123');
  await ask('/webhook/scripted/status');
  await ask('/webhook/scripted/status', { 'x-scripted-signature': 'of somebody else' });
  await ask('/webhook/twilio/status');
  await clock.advance(60_000);
  await ask('/webhook/scripted/status');
  const refusals = logLines.filter(({ msg }) => msg === 'a request of a carrier was refused');
  const address = 'https://voice.example.com/webhook/scripted/status';
  expect(refusals).toMatchObject([
    { level: 'info', carrier: 'scripted', route: '/webhook/:provider/:kind', address, refused: 1 },
    { reason: 'signature_wrong' },
    { reason: 'carrier_not_configured', carrier: 'twilio' },
    { reason: 'signature_missing', refused: 2 },
  ]);
  expect(JSON.stringify(logLines)).not.toContain('CA1');
  expect(counters.of('carrier_requests_refused')).toContainEqual({
    labels: { reason: 'signature_missing' },
    value: 3,
  });
  await close();
});
