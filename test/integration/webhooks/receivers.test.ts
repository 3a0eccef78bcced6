import { createServer } from 'node:net';
import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { createSsrfGuard } from '#outbound-http/ssrf-guard.js';
import { AllowedAddresses } from '#outbound-http/addresses.js';
import { makeLocalCertificate, type LocalCertificate } from '#webhooks/local-certificate.js';
import { openHttpPool, type HttpPool } from '#outbound-http/pool.js';
import {
  createAttemptSender,
  type SendAttempt,
  type AttemptResult,
} from '#webhooks/deliveries/http-attempt.js';
import { NameNotFound } from '#outbound-http/resolver.js';
import { ODDITIES, openOddReceiver } from '#test/support/odd-receivers.js';
import { openLateReceiver } from '#test/support/late-receiver.js';
import { answerWith, Receiver } from '#test/support/receiver.js';
import { slowedClock } from '#test/support/slowed-clock.js';

/** How long a receiver has where it uses that up, and where it shall answer, however slow the machine is. */
const TIMEOUT_MS = 1_200;
const AMPLE_MS = 60_000;
const MOST_MEMORY_BYTES = 50 * 1024 * 1024;

/** What the machine stands still for is no time that a receiver used up. */
const clock = slowedClock(systemClock, 1);

const NAMES: Record<string, string[]> = {
  'receiver.example.com': ['127.0.0.1'],
  'another.example.org': ['127.0.0.1'],
  'six.example.com': ['::1'],
  'both.example.com': ['127.0.0.1', '::1'],
};

let good: LocalCertificate;
let client: Client;
let impatient: Client;
const closing: { close(): unknown }[] = [];

beforeAll(async () => {
  good = await makeLocalCertificate([
    '127.0.0.1',
    '::1',
    'receiver.example.com',
    'six.example.com',
    'both.example.com',
  ]);
  const day = 86_400_000;
  expired = await makeLocalCertificate(['127.0.0.1'], validity(-2 * day, -day));
  client = openClient();
  impatient = openClient(TIMEOUT_MS);
});
afterAll(async () => {
  await Promise.all([client.close(), impatient.close()]);
  for (const thing of closing) await thing.close();
});

let expired: LocalCertificate;

/** What deliveries are sent with, and how its connections are dropped. */
interface Client extends Pick<HttpPool, 'close'> {
  post: SendAttempt;
}

function openClient(timeoutMs = AMPLE_MS): Client {
  // Only this address and no other of loopback: 127.0.0.3 stands for what is private.
  const allowed = new AllowedAddresses(['127.0.0.1/32', '::1/128']);
  const guard = createSsrfGuard({ allowed, resolve: feignedNames });
  const pool = openHttpPool({
    clock,
    guard,
    httpsOnly: true,
    connectTimeoutMs: timeoutMs,
    silenceTimeoutMs: timeoutMs + 1_000,
    trustedCertificates: [good.certificate, expired.certificate],
  });
  return { post: createAttemptSender(pool, { clock, timeoutMs }), close: () => pool.close() };
}

function validity(fromMs: number, untilMs: number) {
  const [from, until] = [new Date(systemClock.wallMs()), new Date(systemClock.wallMs())];
  from.setTime(from.getTime() + fromMs);
  until.setTime(until.getTime() + untilMs);
  return { from, until };
}

async function feignedNames(name: string): Promise<string[]> {
  if (/^[\d.]+$|:/.test(name)) return [name];
  const addresses = NAMES[name];
  if (!addresses) throw new NameNotFound(name);
  return addresses;
}

/** One attempt. */
function post(url: string, by = client): Promise<AttemptResult> {
  const request = { url, headers: { 'content-type': 'application/json' }, body: '{"a":1}' };
  return by.post(request, new AbortController().signal);
}

/** The attempt is given up when its time is over, and not a time for each of its parts. */
async function expectTimeout(url: string): Promise<AttemptResult> {
  const startedMs = clock.monotonicMs();
  const result = await post(url, impatient);
  const tookMs = clock.monotonicMs() - startedMs;
  expect(result).toMatchObject({ outcome: 'timeout', statusCode: null });
  expect(tookMs).toBeGreaterThan(TIMEOUT_MS - 50);
  expect(tookMs).toBeLessThan(2 * TIMEOUT_MS);
  return result;
}

async function odd(name: string, certificate = good, host?: string): Promise<string> {
  const receiver = await openOddReceiver(ODDITIES[name]!, certificate, systemClock, host);
  closing.push(receiver);
  return receiver.url;
}

async function sane(answering: Parameters<typeof Receiver.open>[1], certificate = good): Promise<string> {
  const receiver = await Receiver.open(certificate, answering);
  closing.push(receiver);
  return receiver.url;
}

describe('a receiver with unusual behaviour', () => {
  it.each(['silent', 'header drip', 'body drip'])('%s: timeout', async (name) => {
    const url = await odd(name);
    const before = memoryBytes();
    const result = await expectTimeout(url);
    expectLittleKept(result, before);
  });

  it.each([
    ['reset', 'reset', null],
    ['closed without a word', 'reset', null],
    ['cut after 200', 'reset', null],
    ['gzip bomb', 'success', 200],
    ['endless body', 'success', 200],
    ['endless headers', 'bad_response', null],
    ['not HTTP', 'bad_response', null],
    ['100-continue', 'bad_response', null],
    ['103 early hints', 'success', 200],
  ] as const)('%s: %s', async (name, outcome, statusCode) => {
    const url = await odd(name);
    const before = memoryBytes();
    const result = await post(url);

    expect(result).toMatchObject({ outcome, statusCode });
    expectLittleKept(result, before);
  });
});

describe('a receiver with an invalid certificate', () => {
  it.each(['unknown', 'expired', 'for another host'])('%s: tls', async (kind) => {
    const unknown = await makeLocalCertificate(['127.0.0.1']);
    const url =
      kind === 'for another host'
        ? (await sane(undefined)).replace('127.0.0.1', 'another.example.org')
        : await sane(undefined, kind === 'expired' ? expired : unknown);

    expect(await post(url)).toMatchObject({ outcome: 'tls', statusCode: null });
  });

  it('speaks no TLS: tls', async () => {
    const plain = createServer((socket) => socket.end('HTTP/1.1 200 OK\r\n\r\n'));
    await once(plain.listen(0, '127.0.0.1'), 'listening');
    closing.push(plain);
    const { port } = plain.address() as { port: number };

    expect(await post(`https://127.0.0.1:${port}`)).toMatchObject({ outcome: 'tls' });
  });
});

describe('a receiver that answers', () => {
  it.each([
    [200, 'success'],
    [201, 'success'],
    [202, 'success'],
    [204, 'success'],
    [400, 'client_error'],
    [401, 'client_error'],
    [404, 'client_error'],
    [410, 'gone'],
    [429, 'rate_limited'],
    [500, 'server_error'],
    [503, 'server_error'],
  ] as const)('%i: %s', async (status, outcome) => {
    expect(await post(await sane(answerWith(status)))).toMatchObject({ outcome, statusCode: status });
  });

  it.each(['17', 'Sun, 14 Mar 2027 07:32:00 GMT'])('429 with Retry-After %s is reported', async (asked) => {
    const result = await post(await sane(answerWith(429, { 'retry-after': asked })));

    expect(result).toMatchObject({ outcome: 'rate_limited', retryAfter: asked });
  });

  it.each([301, 302, 303, 307, 308])('%i to a private address is not followed', async (status) => {
    let touched = 0;
    const canary = createServer(() => (touched += 1));
    await once(canary.listen(0, '127.0.0.3'), 'listening');
    closing.push(canary);
    const { port } = canary.address() as { port: number };
    const result = await post(await sane(answerWith(status, { location: `https://127.0.0.3:${port}/` })));

    expect(result).toMatchObject({ outcome: 'redirect', statusCode: status });
    expect(await post(`https://127.0.0.3:${port}/`)).toMatchObject({ outcome: 'blocked_address' });
    expect(touched).toBe(0);
  });

  it.skipIf(process.platform !== 'linux')(
    'far away, on the only one of its addresses that is reached',
    async () => {
      const late = await openLateReceiver(good);
      closing.push(late);
      const answered = post(`https://both.example.com:${late.port}/`);
      clock.after(500, () => late.letGo());

      expect(await answered).toMatchObject({ outcome: 'success' });
    },
  );

  it('many concurrent requests cause no leak warning', async () => {
    const warnings: string[] = [];
    const note = ({ name }: Error) => void warnings.push(name);
    process.on('warning', note);
    onTestFinished(() => void process.off('warning', note));
    const url = await sane(undefined);
    const never = new AbortController().signal;
    const request = { url, headers: {}, body: '{}' };
    const results = await Promise.all(Array.from({ length: 20 }, () => client.post(request, never)));

    expect(results.map(({ outcome }) => outcome)).toEqual(Array.from({ length: 20 }, () => 'success'));
    expect(warnings).toEqual([]);
  });

  it('is requested directly, whatever proxy the environment names', async () => {
    let touched = 0;
    const proxy = createServer(() => (touched += 1));
    await once(proxy.listen(0, '127.0.0.1'), 'listening');
    closing.push(proxy);
    const { port } = proxy.address() as { port: number };
    for (const name of ['HTTPS_PROXY', 'https_proxy', 'ALL_PROXY'])
      vi.stubEnv(name, `http://127.0.0.1:${port}`);
    onTestFinished(() => void vi.unstubAllEnvs());
    const fresh = openClient();
    closing.push(fresh);
    const request = { url: await sane(undefined), headers: {}, body: '{}' };

    expect(await fresh.post(request, new AbortController().signal)).toMatchObject({ outcome: 'success' });
    expect(touched).toBe(0);
  });

  it('with NUL in its text is stored without it', async () => {
    const url = await sane((_received, response) => void response.end('a\0b'));

    expect((await post(url)).responseBody).toBe('a�b');
  });
});

describe('the stored response', () => {
  it.each([
    ['identity', 'ok'],
    ['gzip', '(2 bytes, compressed)'],
  ])('is text unless it is compressed: %s', async (encoding, kept) => {
    const url = await sane((_received, response) =>
      response.writeHead(200, { 'content-encoding': encoding }).end('ok'),
    );

    expect((await post(url)).responseBody).toBe(kept);
  });
});

describe('a receiver that cannot be reached', () => {
  it('has no name: dns', async () => {
    expect(await post('https://nowhere.example.com/')).toMatchObject({ outcome: 'dns' });
  });

  it('has no listening server: unreachable', async () => {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as { port: number };
    server.close();
    await once(server, 'close');

    expect(await post(`https://127.0.0.1:${port}/`)).toMatchObject({ outcome: 'unreachable' });
  });

  it('accepts the connection without a TLS handshake: timeout', async () => {
    const mute = createServer();
    await once(mute.listen(0, '127.0.0.1'), 'listening');
    closing.push(mute);
    const { port } = mute.address() as { port: number };

    const url = `https://127.0.0.1:${port}/`;
    // The timers of the library tick twice in a second: attempts at any moment between two ticks have all their time.
    const moments = [0, 120, 240, 360, 480].map((ms) => new Promise<void>((begin) => clock.after(ms, begin)));
    await Promise.all(moments.map((moment) => moment.then(() => expectTimeout(url))));
  });

  it('has only an IPv6 address: success', async () => {
    const url = (await odd('103 early hints', good, '::1')).replace('[::1]', 'six.example.com');

    expect(await post(url)).toMatchObject({ outcome: 'success' });
  });
});

function expectLittleKept({ responseBody }: AttemptResult, memoryBefore: number): void {
  expect(responseBody?.length ?? 0).toBeLessThanOrEqual(2 * 1024);
  expect(memoryBytes() - memoryBefore).toBeLessThan(MOST_MEMORY_BYTES);
}

function memoryBytes(): number {
  const { heapUsed, external, arrayBuffers } = process.memoryUsage();
  return heapUsed + external + arrayBuffers;
}
