import Database from 'better-sqlite3';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NameNotFound } from '#outbound-http/resolver.js';
import { buildTestService, type TestService } from '#test/support/test-service.js';

/** Hosts that lead to this machine, to a private network or to a metadata service, in every spelling we know of. */
const PRIVATE_HOSTS = [
  // Loopback: plain, short, decimal, octal, hexadecimal, mixed, with zeroes.
  '127.0.0.1',
  '127.0.0.2',
  '127.1',
  '127.0.1',
  '2130706433',
  '0177.0.0.1',
  '0177.0.0.01',
  '017700000001',
  '0x7f.0.0.1',
  '0x7f000001',
  '0x7f.1',
  '127.0x0.0.1',
  '0',
  '0.0.0.0',
  // In characters that become digits and dots.
  '①②⑦.⓪.⓪.①',
  '１２７.０.０.１',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  // IPv6, and IPv4 in all its disguises.
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::127.0.0.1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[0:0:0:0:0:ffff:7f00:0001]',
  '[64:ff9b::127.0.0.1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[fc00::1]',
  '[ff02::1]',
  // Private and special networks.
  '10.0.0.1',
  '10.1',
  '172.16.0.1',
  '192.168.0.1',
  '169.254.0.1',
  '100.64.0.1',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  // Metadata services.
  '169.254.169.254',
  '2852039166',
  '0xa9fea9fe',
  '[::ffff:169.254.169.254]',
  '168.63.129.16',
  '100.100.100.200',
  '192.0.0.192',
  '[fd00:ec2::254]',
  // Names of this machine and of private networks.
  'localhost',
  'LOCALHOST',
  'localhost.',
  'localhost..',
  'a.localhost',
  'printer',
  'printer.',
  'nas.local',
  'metadata.google.internal',
  // Names that lead to private addresses, wholly or in part.
  'private.example.com',
  'private.example.com.',
  'mixed.example.com',
  'mapped.example.com',
  'metadata.example.com',
];

const ANSWERS: Record<string, string[]> = {
  'private.example.com': ['127.0.0.1'],
  'mixed.example.com': ['203.0.114.5', '127.0.0.1'],
  'mapped.example.com': ['::ffff:127.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
  'public.example.com': ['198.51.101.7'],
  localhost: ['127.0.0.1', '::1'],
  'a.localhost': ['127.0.0.1'],
  printer: ['127.0.0.1'],
  'nas.local': ['127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
};

/** Answers by turns, as a hostile name server does; who asks twice for one connection is lost. */
const TURNING = ['turning.example.com'];
let turns = 0;

let service: TestService;
let canaries: Server[];
let port: number;
let touched = 0;

beforeAll(async () => {
  const canary = () => createServer(() => (touched += 1));
  const first = canary();
  await once(first.listen(0, '127.0.0.1'), 'listening');
  port = (first.address() as AddressInfo).port;
  const second = canary();
  await once(second.listen(port, '::1'), 'listening');
  canaries = [first, second];
  service = await buildTestService({
    listen: true,
    environment: { WEBHOOK_ALLOW_CIDRS: 'none', TIMEOUT: '1' },
    replace: { resolve: feignedNames },
  });
});
afterAll(async () => {
  await service.close();
  for (const canary of canaries) canary.close();
});

async function feignedNames(name: string): Promise<string[]> {
  if (/^[\d.]+$|:/.test(name)) return [name];
  if (TURNING.includes(name)) return turns++ % 2 === 0 ? ['192.0.32.8'] : ['127.0.0.1'];
  const addresses = ANSWERS[name];
  if (!addresses) throw new NameNotFound(name);
  return addresses;
}

const ask = async (method: string, url: string, payload?: unknown) => {
  const { status, body } = await service.request(method, url, payload);
  return { status, body: body as Record<string, unknown> };
};
const urlOf = (host: string) => `https://${host}:${port}/hook`;
const REFUSED = {
  error: 'address is not allowed',
  code: 'blocked_address',
  message:
    'url must be a public address without a user name; the setting WEBHOOK_ALLOW_CIDRS allows private networks.',
};

/** Registrations with an address that was good when it was given, and has been changed behind the back of the guard. */
async function registerUnguarded(urls: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const _url of urls) {
    const { body } = await ask('POST', '/v1/webhooks', { url: 'https://public.example.com/' });
    ids.push(String(body['id']));
  }
  const database = new Database(join(service.dataDir, 'callwright.db'));
  const update = database.prepare('update webhooks set url = ? where id = ?');
  for (const [index, id] of ids.entries()) update.run(urls[index], id);
  database.close();
  return ids;
}

describe('a private address in any spelling', () => {
  it('has at least 45 spellings, all of which are valid URLs', () => {
    expect(PRIVATE_HOSTS.length).toBeGreaterThanOrEqual(45);
    expect(new Set(PRIVATE_HOSTS).size).toBe(PRIVATE_HOSTS.length);
    expect(PRIVATE_HOSTS.filter((host) => !URL.canParse(urlOf(host)))).toEqual([]);
  });

  it.each(PRIVATE_HOSTS)('is refused when a webhook is created or changed: %s', async (host) => {
    const made = await ask('POST', '/v1/webhooks', { url: urlOf(host) });
    expect(made).toMatchObject({ status: 400, body: REFUSED });
    const { body } = await ask('POST', '/v1/webhooks', { url: 'https://public.example.com/' });
    const changed = await ask('PUT', `/v1/webhooks/${String(body['id'])}`, { url: urlOf(host) });
    expect(changed).toMatchObject({ status: 400, body: REFUSED });
  });

  it.each([
    'https://user@public.example.com/',
    'https://user:word@public.example.com/',
    'https://:word@127.0.0.1/',
  ])('is refused with user information before it: %s', async (url) => {
    expect(await ask('POST', '/v1/webhooks', { url })).toMatchObject({ status: 400, body: REFUSED });
  });

  it('gets no byte of a test or a delivery, and the log says only blocked_address', async () => {
    const ids = await registerUnguarded(PRIVATE_HOSTS.map(urlOf));
    for (const [index, id] of ids.entries()) {
      const { body } = await ask('POST', `/v1/webhooks/${id}/test`);
      expect(body, PRIVATE_HOSTS[index]).toMatchObject({
        status: 'failed',
        error: 'blocked_address',
        status_code: null,
        response_body: null,
      });
      await ask('POST', `/v1/webhooks/${id}/replay`, { since: '2026-01-01T00:00:00Z' });
    }
    for (const [index, id] of ids.entries()) {
      await expect
        .poll(async () => (await ask('GET', `/v1/webhooks/${id}/logs`)).body['data'])
        .toMatchObject([{ status: 'failed', error: 'blocked_address', attempts: 2 }]);
      expect(touched, PRIVATE_HOSTS[index]).toBe(0);
    }
  });
});

describe('a name server that changes its answer (DNS rebinding)', () => {
  it('is queried once for a connection, which goes to the checked address', async () => {
    const { body } = await ask('POST', '/v1/webhooks', { url: urlOf('turning.example.com') });
    const outcomes: unknown[] = [];
    for (let attempt = 0; attempt < 4; attempt += 1) {
      const { body: delivery } = await ask('POST', `/v1/webhooks/${String(body['id'])}/test`);
      outcomes.push(delivery['error']);
    }

    // The first question was asked when it was registered.
    expect(turns).toBe(5);
    expect(outcomes.filter((_outcome, index) => index % 2 === 0)).toEqual([
      'blocked_address',
      'blocked_address',
    ]);
    expect(outcomes[1]).toMatch(/^(timeout|unreachable)$/);
    expect(touched).toBe(0);
  });
});
