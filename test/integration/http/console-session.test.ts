import { beforeAll, afterAll, describe, expect, it } from 'vitest';
import { AUTHORIZED, startTestServer, TEST_KEY, type TestServer } from '#test/support/server.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';

const HOUR_MS = 3_600_000;

let service: TestServer;
const clock = new FakeClock();

beforeAll(async () => {
  service = await startTestServer({
    clock,
    servesConsole: true,
    rateLimitPerMinute: 1_000,
    routes: (server) => {
      server.get('/things', () => ({ ok: true }));
      server.post('/things', () => ({ ok: true }));
      server.post('/keys', { config: { scope: 'admin' } }, () => ({ ok: true }));
    },
  });
});
afterAll(() => service.close());

interface Answer {
  status: number;
  cookie: string;
  setCookie: string;
  body: { csrf_token: string; key_name: string; scopes: string[]; expires_at: string };
}

async function ask(method: string, url: string, options: Asked = {}): Promise<Answer> {
  const answer = await service.server.inject({
    method: method as 'GET',
    url,
    headers: {
      ...(options.cookie === undefined ? {} : { cookie: options.cookie }),
      ...(options.csrf === undefined ? {} : { 'x-csrf-token': options.csrf }),
      ...options.headers,
    },
    ...(options.body === undefined ? {} : { payload: options.body }),
  });
  const setCookie = String(answer.headers['set-cookie'] ?? '');
  return {
    status: answer.statusCode,
    setCookie,
    cookie: setCookie.split(';', 1)[0]!,
    body: (answer.body === '' ? {} : answer.json()) as Answer['body'],
  };
}
interface Asked {
  cookie?: string;
  csrf?: string;
  headers?: Record<string, string>;
  body?: object;
}

const signIn = (key = TEST_KEY, options: Asked = {}) =>
  ask('POST', '/console/session', { ...options, body: { key } });

const newKey = async (scopes: readonly ('read' | 'write' | 'admin')[], expiresAt: number | null = null) =>
  service.apiKeys.create({ workspace: DEFAULT_WORKSPACE, name: 'Desk', scopes, expiresAt });

describe('signing in', () => {
  it('exchanges a key for a cookie that stands for it', async () => {
    const { key } = await newKey(['read']);
    const session = await signIn(key);
    expect(session.status).toBe(200);
    expect(session.body).toMatchObject({ key_name: 'Desk', scopes: ['read'] });
    expect(session.setCookie).toMatch(
      /^callwright_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=43200$/,
    );
    expect((await ask('GET', '/things', session)).status).toBe(200);
    expect((await ask('GET', '/console/session', session)).body).toEqual(session.body);
  });

  it('marks the cookie as secure behind TLS', async () => {
    const { setCookie } = await signIn(TEST_KEY, { headers: { 'x-forwarded-proto': 'https' } });
    expect(setCookie).toMatch(/; Secure$/);
  });

  it.each(['nonsense', 'cw_live_', `cl_${'A'.repeat(43)}`])('refuses the key %s', async (key) => {
    const { status, setCookie } = await signIn(key);
    expect([status, setCookie]).toEqual([401, '']);
  });

  it('is refused after too many guesses', async () => {
    const strict = await startTestServer({ servesConsole: true, rateLimitPerMinute: 3 });
    const guess = (key: string) =>
      strict.server.inject({ method: 'POST', url: '/console/session', payload: { key } });
    const statuses = [];
    for (const key of ['one', 'two', 'three', 'four']) statuses.push((await guess(key)).statusCode);
    expect(statuses.at(-1)).toBe(429);
    expect((await guess(TEST_KEY)).statusCode).toBe(429);
    await strict.close();
  });

  it('never takes over an id that the browser brings, and ends the session before', async () => {
    const planted = `callwright_session=${'A'.repeat(43)}`;
    const first = await signIn(TEST_KEY, { cookie: planted });
    expect(first.cookie).not.toBe(planted);
    const second = await signIn(TEST_KEY, first);
    expect(second.cookie).not.toBe(first.cookie);
    expect((await ask('GET', '/things', first)).status).toBe(401);
    expect((await ask('GET', '/things', second)).status).toBe(200);
  });
});

describe('a session', () => {
  it('needs its CSRF token for changes', async () => {
    const session = await signIn();
    const other = await signIn();
    const tries: [string | undefined, number][] = [
      [undefined, 403],
      ['wrong', 403],
      [other.body.csrf_token, 403],
      [session.body.csrf_token, 200],
    ];
    for (const [csrf, status] of tries) {
      const options = { cookie: session.cookie, ...(csrf === undefined ? {} : { csrf }) };
      expect((await ask('POST', '/things', options)).status).toBe(status);
    }
  });

  it('has the scopes of its key', async () => {
    const session = await signIn((await newKey(['read'])).key);
    const { cookie, body } = session;
    expect((await ask('POST', '/things', { cookie, csrf: body.csrf_token })).status).toBe(403);
    const { key } = await newKey(['write']);
    const writer = await signIn(key);
    const asWriter = { cookie: writer.cookie, csrf: writer.body.csrf_token };
    expect((await ask('POST', '/things', asWriter)).status).toBe(200);
    expect((await ask('POST', '/keys', asWriter)).status).toBe(403);
  });

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }, 401],
    ['a neighbour', { 'sec-fetch-site': 'same-site' }, 401],
    ['another port', { origin: 'http://localhost:3000' }, 401],
    ['its own page', { 'sec-fetch-site': 'same-origin', origin: 'http://localhost:80' }, 200],
    ['its own page, without TLS', { origin: 'http://localhost:80', host: 'localhost:80' }, 401],
    ['its own page on a plain host', { origin: 'http://desk.lan:8010', host: 'desk.lan:8010' }, 200],
  ])('counts by where the request comes from: %s', async (_from, headers, status) => {
    const { cookie } = await signIn();
    expect((await ask('GET', '/things', { cookie, headers })).status).toBe(status);
  });

  it('ends by signing out, which needs the CSRF token too', async () => {
    const { cookie, body } = await signIn();
    expect((await ask('DELETE', '/console/session', { cookie })).status).toBe(403);
    const out = await ask('DELETE', '/console/session', { cookie, csrf: body.csrf_token });
    expect([out.status, out.setCookie]).toEqual([204, expect.stringContaining('Max-Age=0')]);
    expect((await ask('GET', '/things', { cookie })).status).toBe(401);
    expect((await ask('GET', '/console/session', { cookie })).status).toBe(401);
  });

  it('ends with its key', async () => {
    const { key, row } = await newKey(['read']);
    const { cookie } = await signIn(key);
    await service.apiKeys.revoke({ workspace: DEFAULT_WORKSPACE, id: row.id });
    expect((await ask('GET', '/things', { cookie })).status).toBe(401);
  });

  it('ends after 12 hours, and never later than its key', async () => {
    const { cookie } = await signIn();
    const { key } = await newKey(['read'], clock.wallMs() + HOUR_MS);
    const short = await signIn(key);
    expect(Date.parse(short.body.expires_at)).toBe(clock.wallMs() + HOUR_MS);
    await clock.advance(11 * HOUR_MS);
    expect((await ask('GET', '/things', short)).status).toBe(401);
    expect((await ask('GET', '/things', { cookie })).status).toBe(200);
    await clock.advance(HOUR_MS);
    expect((await ask('GET', '/things', { cookie })).status).toBe(401);
  });

  it('is not looked at where a key is shown', async () => {
    const { cookie } = await signIn();
    const headers = { 'x-api-key': 'wrong' };
    expect((await ask('GET', '/things', { cookie, headers })).status).toBe(401);
    expect((await ask('POST', '/things', { cookie, headers: AUTHORIZED })).status).toBe(200);
  });
});

it('is not there where the console is off', async () => {
  const off = await startTestServer({ servesConsole: false });
  const answers = await Promise.all([
    off.server.inject({ method: 'POST', url: '/console/session', payload: { key: TEST_KEY } }),
    off.server.inject({ method: 'GET', url: '/console' }),
    off.server.inject({ method: 'GET', url: '/', headers: { accept: 'text/html' } }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([404, 404, 302]);
  expect(answers[2].headers.location).toBe('/docs');
  await off.close();
});
