import { once } from 'node:events';
import { createServer as createHttpServer } from 'node:http';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createCarrierHttp, failureOf } from '#telephony/wire/carrier-http.js';
import { systemClock } from '#kernel/time/clock.js';
import { openLateReceiver } from '#test/support/late-receiver.js';

describe('a request that failed', () => {
  it.each([
    ['ECONNREFUSED', 'connect'],
    ['EHOSTUNREACH', 'connect'],
    ['ENOTFOUND', 'getaddrinfo'],
    ['UND_ERR_CONNECT_TIMEOUT', undefined],
  ])('never left when there was no connection: %s of %s', (code, syscall) => {
    expect(failureOf(Object.assign(new Error(code), { code, syscall }))).toMatchObject({
      outcome: 'not_dialled',
      reason: 'unreachable',
    });
  });

  it.each([
    ['connect', 'not_dialled'],
    ['read', 'unknown'],
  ])(
    'never left when none of several addresses was reached, by what each of them says: %s',
    (syscall, outcome) => {
      const each = ['ETIMEDOUT', 'ENETUNREACH'].map((code) =>
        Object.assign(new Error(code), { code, syscall }),
      );
      const all = Object.assign(new AggregateError(each), { code: 'ETIMEDOUT' });
      expect(failureOf(all)).toMatchObject({ outcome });
    },
  );

  it.each([
    ['EHOSTUNREACH', 'read'],
    ['ENETUNREACH', 'write'],
    ['ECONNRESET', 'read'],
    ['UND_ERR_SOCKET', undefined],
    ['UND_ERR_HEADERS_TIMEOUT', undefined],
  ])('may have been done when there was one: %s of %s', (code, syscall) => {
    expect(failureOf(Object.assign(new Error(code), { code, syscall }))).toMatchObject({
      outcome: 'unknown',
    });
  });

  it('may have been done when it was given up under way', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const http = createCarrierHttp({ clock: systemClock });
    const late = new AbortController();
    server.on('connection', (socket) => {
      socket.on('error', () => {});
      socket.once('data', () => late.abort());
      onTestFinished(() => void socket.destroy());
    });
    onTestFinished(async () => {
      await http.close();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    await expect(
      http.send({ method: 'POST', url, headers: {}, body: 'call' }, late.signal),
    ).rejects.toMatchObject({ outcome: 'unknown', reason: 'timeout' });
  });

  it('is given up when the client closes: a silent carrier does not keep the service from ending', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const asked = once(server, 'connection');
    const http = createCarrierHttp({ clock: systemClock });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = http.send({ method: 'POST', url, headers: {}, body: 'hang up' }).catch(String);
    const [socket] = (await asked) as [Socket];
    onTestFinished(() => {
      socket.destroy();
      server.close();
    });
    await http.close();
    expect(await answer).toContain('connection to the carrier broke');
  });
});

it.skipIf(process.platform !== 'linux')(
  'a carrier far away is reached on the only one of its addresses that can be',
  async () => {
    const late = await openLateReceiver();
    const http = createCarrierHttp({
      clock: systemClock,
      lookup: (_name, _options, answer) =>
        answer(null, [
          { address: '127.0.0.1', family: 4 },
          { address: '::1', family: 6 },
        ]),
    });
    onTestFinished(async () => {
      await http.close();
      await late.close();
    });
    const url = `http://carrier.example.com:${late.port}/`;
    const answer = http.send({ method: 'POST', url, headers: {} });
    systemClock.after(500, () => late.letGo());
    expect(await answer).toMatchObject({ status: 200, json: 'ok' });
  },
);

describe('a carrier that is asked too fast', () => {
  const DATE = 'Sun, 22 Nov 2026 10:00:00 GMT';

  it.each([
    [{ 'retry-after': '3' }, 3_000],
    [{ 'retry-after': '0.5' }, 500],
    [{ 'retry-after': 'Sun, 22 Nov 2026 10:00:07 GMT' }, 7_000],
    [{ 'retry-after': 'Sun, 22 Nov 2026 09:59:00 GMT' }, null],
    [{ 'retry-after': '-3' }, null],
    [{ 'retry-after': 'soon' }, null],
    [{}, null],
  ])('says with %j how long to wait: %s ms', async (said, waitMs) => {
    const server = createHttpServer((_request, response) => {
      response.writeHead(429, { date: DATE, ...said }).end('{}');
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const http = createCarrierHttp({ clock: systemClock });
    onTestFinished(async () => {
      await http.close();
      server.close();
    });
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    const answer = await http.send({ method: 'POST', url, headers: {}, body: 'call' });
    expect(answer).toEqual({ status: 429, json: {}, retryAfterMs: waitMs });
  });
});

it.each([
  ['a long one', 200 * 1_024, true],
  ['one that is longer than any of a carrier', 300 * 1_024, false],
])('an answer is read as far as carriers say anything: %s', async (_what, sizeBytes, isRead) => {
  const text = 'x'.repeat(sizeBytes);
  const server = createHttpServer((_request, response) => response.end(JSON.stringify(text))).listen(
    0,
    '127.0.0.1',
  );
  await once(server, 'listening');
  const http = createCarrierHttp({ clock: systemClock });
  onTestFinished(async () => {
    await http.close();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const { status, json } = await http.send({ method: 'GET', url, headers: {} });
  expect([status, json === text, json === null]).toEqual([200, isRead, !isRead]);
});
