import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Socket } from 'node:net';
import { inspect } from 'node:util';
import { describe, expect, it, onTestFinished } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { RequestFailed } from '#outbound-http/failures.js';
import { createFetch, type Fetch, type FetchLimits } from '#outbound-http/fetch.js';
import { openHttpPool, type HttpPoolOptions } from '#outbound-http/pool.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { openLoopbackServer } from '#test/support/loopback-server.js';

const ABORT_LIMIT_MS = 5;
/** The machine may be busy at one of them. */
const ABORTS = 5;

function open(options: Partial<HttpPoolOptions> = {}, limits: FetchLimits = {}): Fetch {
  const pool = openHttpPool({ clock: systemClock, ...options });
  onTestFinished(() => pool.close());
  return createFetch({ pool, limits });
}

/** The cause of a request that failed. */
async function failureOf(asked: Promise<unknown>): Promise<RequestFailed> {
  const error = await asked.then(
    () => expect.fail('the request succeeded'),
    (reason: unknown) => reason as Error,
  );
  expect(error).toBeInstanceOf(TypeError);
  expect(error.message).toBe('fetch failed');
  expect(error.cause).toBeInstanceOf(RequestFailed);
  return error.cause as RequestFailed;
}

async function textOf(request: IncomingMessage): Promise<string> {
  const chunks = await request.toArray();
  return Buffer.concat(chunks as Buffer[]).toString();
}

describe('a request', () => {
  const form = new FormData();
  form.append('file', new Blob(['sound']), 'a.wav');

  it.each<[string, RequestInit, RegExp, RegExp]>([
    ['text', { body: '{"a":1}' }, /^text\/plain/, /^\{"a":1\}$/],
    ['bytes', { body: Buffer.from('abc') }, /^undefined$/, /^abc$/],
    ['a form', { body: form }, /^multipart\/form-data; boundary=/, /filename="a\.wav"[^]*sound/],
    [
      'parameters',
      { body: new URLSearchParams({ a: 'b c' }) },
      /^application\/x-www-form-urlencoded/,
      /^a=b\+c$/,
    ],
    [
      'its own type',
      { body: '{}', headers: { 'content-type': 'application/json' } },
      /^application\/json$/,
      /^\{\}$/,
    ],
  ])('carries %s', async (_what, init, type, body) => {
    const { url } = await openLoopbackServer(async (request, response) => {
      const { 'content-type': contentType, 'content-length': length } = request.headers;
      const text = await textOf(request);
      response.end(JSON.stringify({ method: request.method, type: String(contentType), length, text }));
    });
    const answer = (await (await open()(url, { method: 'post', ...init })).json()) as Record<string, string>;

    expect(answer['method']).toBe('POST');
    expect(answer['type']).toMatch(type);
    expect(answer['text']).toMatch(body);
    expect(Number(answer['length'])).toBe(answer['text']!.length);
  });

  it('may be a Request object', async () => {
    const { url } = await openLoopbackServer(async (request, response) =>
      response.end(
        `${request.method} ${request.url} ${String(request.headers['x-a'])} ${await textOf(request)}`,
      ),
    );
    const request = new Request(`${url}/v1?a=b`, { method: 'PUT', body: 'c', headers: { 'x-a': 'd' } });

    expect(await (await open()(request)).text()).toBe('PUT /v1?a=b d c');
  });

  it('reuses the connection of the request before', async () => {
    const { url, sockets } = await openLoopbackServer((_request, response) => response.end('ok'));
    const fetch = open();
    for (let i = 0; i < 3; i++) await (await fetch(url)).text();

    expect(sockets).toHaveLength(1);
  });
});

describe('a response', () => {
  it.each([200, 204, 307, 404, 429, 503])('of %i is returned unchanged', async (status) => {
    const headers = { 'retry-after': '3', location: 'http://127.0.0.1:1/', 'set-cookie': ['a=1', 'b=2'] };
    const { url } = await openLoopbackServer((_request, response) =>
      response.writeHead(status, headers).end(),
    );
    const response = await open()(url);

    expect([response.status, response.ok]).toEqual([status, status < 300]);
    expect(response.headers.get('retry-after')).toBe('3');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(await response.text()).toBe('');
  });

  it('streams: a part arrives before the next one is sent', async () => {
    let sending: ServerResponse | null = null;
    const { url } = await openLoopbackServer((_request, response) => {
      sending = response;
      response.write('data: 1\n\n');
    });
    const response = await open()(url);
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    for (const part of ['1', '2', '3']) {
      expect(await reader.read()).toEqual({ done: false, value: `data: ${part}\n\n` });
      if (part === '3') sending!.end();
      else sending!.write(`data: ${Number(part) + 1}\n\n`);
    }
    expect((await reader.read()).done).toBe(true);
  });

  it('is paused while its reader does not read', async () => {
    const part = Buffer.alloc(256 * 1_024);
    let sentParts = 0;
    const { url } = await openLoopbackServer(async (_request, response) => {
      while (sentParts < 100 && (sentParts++, response.write(part) || (await once(response, 'drain'))));
      response.end();
    });
    const response = await open()(url);
    const reader = response.body!.getReader();
    let sizeBytes = (await reader.read()).value!.length;
    const isFull = async () => {
      const before = sentParts;
      for (let i = 0; i < 100; i++) await new Promise(setImmediate);
      return sentParts === before;
    };
    await expect.poll(isFull).toBe(true);
    expect(sentParts).toBeLessThan(60);
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      sizeBytes += value.length;
    }
    expect(sizeBytes).toBe(100 * part.length);
  });

  it.each([
    ['says how long it is', { 'content-length': '2000' }],
    ['does not say how long it is', {}],
  ])('that is too long and %s fails', async (_how, headers) => {
    const { url, sockets } = await openLoopbackServer((_request, response) => {
      response.writeHead(200, headers);
      response.write('x'.repeat(900));
      setImmediate(() => response.write('x'.repeat(900)));
    });
    const fetch = open({}, { responseBytes: 1_000 });
    const asked = fetch(url).then((response) => response.text());

    expect(await failureOf(asked)).toMatchObject({ code: 'response_too_long', isUnsent: false });
    if (!sockets[0]!.closed) await once(sockets[0]!, 'close');
  });

  it('that is compressed although it was not accepted fails', async () => {
    const { url } = await openLoopbackServer((request, response) => {
      expect(request.headers['accept-encoding']).toBe('identity');
      response.writeHead(200, { 'content-encoding': 'gzip' }).end('?');
    });

    expect((await failureOf(open()(url))).message).toMatch(/compressed/);
  });
});

describe('an abort', () => {
  it.each(['before the headers', 'in the middle of the body'])(
    '%s closes the connection at once',
    async (when) => {
      const asking: Socket[] = [];
      const { url } = await openLoopbackServer((request, response) => {
        asking.push(request.socket);
        if (when === 'in the middle of the body') response.write('a');
      });
      const fetch = open();
      const tookMs: number[] = [];
      for (let i = 0; i < ABORTS; i++) {
        const giveUp = new AbortController();
        const answered = fetch(url, { signal: giveUp.signal });
        const asked = answered.then((response) => response.text());
        await expect.poll(() => asking.length).toBe(i + 1);
        if (when === 'in the middle of the body') await answered;
        const closed = once(asking[i]!, 'close');
        const startedMs = systemClock.monotonicMs();
        giveUp.abort(new Error('the caller spoke'));
        await expect(asked).rejects.toThrow('the caller spoke');
        await closed;
        tookMs.push(systemClock.monotonicMs() - startedMs);
      }
      expect(Math.min(...tookMs)).toBeLessThan(ABORT_LIMIT_MS);
    },
  );

  it('beforehand sends nothing', async () => {
    const { url, sockets } = await openLoopbackServer((_request, response) => response.end());

    await expect(open()(url, { signal: AbortSignal.abort() })).rejects.toMatchObject({ name: 'AbortError' });
    expect(sockets).toEqual([]);
  });

  it('by the reader of the body closes the connection', async () => {
    const { url, sockets } = await openLoopbackServer((_request, response) => response.write('a'));
    for await (const part of (await open()(url)).body!) {
      expect(Buffer.from(part).toString()).toBe('a');
      break;
    }
    if (!sockets[0]!.closed) await once(sockets[0]!, 'close');
  });

  it('of many requests by one signal causes no leak warning', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const { url } = await openLoopbackServer((_request, response) => response.end('ok'));
    const { signal } = new AbortController();
    const fetch = open();
    await Promise.all(Array.from({ length: 20 }, async () => (await fetch(url, { signal })).text()));

    expect(warnings).toEqual([]);
  });
});

describe('the SSRF guard', () => {
  const names: Record<string, string> = {
    'inside.example.com': '127.0.0.1',
    'outside.example.com': '127.0.0.1',
  };
  const guardOf = (...networks: string[]) =>
    createSsrfGuard({
      allowed: new AllowedAddresses(networks),
      resolve: async (name) => [names[name] ?? name],
    });

  it.each(['127.0.0.1', 'inside.example.com'])('refuses private addresses: %s', async (host) => {
    const { port, sockets } = await openLoopbackServer((_request, response) => response.end());
    const failure = await failureOf(open({ guard: guardOf() })(`http://${host}:${port}/`));

    expect(failure).toMatchObject({ isUnsent: true, cause: { name: 'BlockedAddress' } });
    expect(sockets).toEqual([]);
  });

  it('allows networks of the operator, and connects to the address that it checked', async () => {
    const { port } = await openLoopbackServer((request, response) => response.end(request.headers.host));
    const fetch = open({ guard: guardOf('127.0.0.1/32') });

    expect(await (await fetch(`http://inside.example.com:${port}/`)).text()).toBe(
      `inside.example.com:${port}`,
    );
  });

  it('is not used for URLs of the operator', async () => {
    const { url } = await openLoopbackServer((_request, response) => response.end('ok'));

    expect(await (await open()(url)).text()).toBe('ok');
  });
});

describe('a request that fails', () => {
  it('has 1.5 s for its connection', async () => {
    const clock = new FakeClock();
    const fetch = open({ clock, lookup: () => {} });
    let failure: RequestFailed | null = null;
    void failureOf(fetch('http://far.example.com/')).then((error) => (failure = error));
    await new Promise(setImmediate);
    await clock.advance(1_499);
    expect(failure).toBe(null);
    await clock.advance(1);
    await expect.poll(() => failure).toMatchObject({ code: 'UND_ERR_CONNECT_TIMEOUT', isUnsent: true });
  });

  it('closes a connection that opens after the timeout', async () => {
    const clock = new FakeClock();
    const { port, sockets } = await openLoopbackServer((_request, response) => response.end());
    let found = () => {};
    const fetch = open({
      clock,
      lookup: (_name, _options, answer) =>
        (found = () => answer(null, [{ address: '127.0.0.1', family: 4 }])),
    });
    const failed = failureOf(fetch(`http://far.example.com:${port}/`));
    await new Promise(setImmediate);
    await clock.advance(1_500);
    await failed;
    found();
    await expect.poll(() => sockets.map(({ closed }) => closed)).toEqual([true]);
    expect(sockets[0]!.bytesRead).toBe(0);
  });

  it('says whether it may have reached the server', async () => {
    const server = createServer((socket) => socket.once('data', () => socket.destroy()));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    const fetch = open();

    expect(await failureOf(fetch(`http://127.0.0.1:${port}/`))).toMatchObject({ isUnsent: false });
    server.close();
    await once(server, 'close');
    expect(await failureOf(fetch(`http://127.0.0.1:${port}/`))).toMatchObject({
      code: 'ECONNREFUSED',
      isUnsent: true,
    });
  });

  it.each([
    ['is refused', 'http://127.0.0.1:1/v1/models?key=SECRET', /GET http:\/\/127\.0\.0\.1:1\/v1\/models\?…: /],
    ['is no URL', 'api.example.com/SECRET', /not a URL/],
    ['has credentials', 'http://me:SECRET@127.0.0.1:1/', /has credentials/],
    ['is of another protocol', 'ftp://127.0.0.1/?SECRET', /protocol/i],
  ])('has no secrets in its message: an address that %s', async (_how, url, message) => {
    const headers = { authorization: 'Bearer SECRET', 'x-odd': 'a' };
    const failure = await failureOf(open()(url, { method: 'GET', headers }));

    expect(failure.message).toMatch(message);
    expect(inspect(failure, { depth: 9, showHidden: true })).not.toContain('SECRET');
  });

  it('fails its body, too, when the connection ends early', async () => {
    const { url } = await openLoopbackServer((_request, response) => {
      response.write('half', () => response.destroy());
    });
    const response = await open()(url);

    expect(await failureOf(response.text())).toMatchObject({ isUnsent: false });
  });
});
