import { beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { idempotencyTransactions } from '#idempotency/idempotency-store.js';
import { Problem } from '#kernel/errors/errors.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { AUTHORIZED, openTestServer, type TestServer } from '#test/support/server.js';
import { thingTransactions } from './thing-store.js';

const DAY_MS = 86_400_000;
const SOMEBODY = { id: 'user-1', type: 'jwt', name: 'Ada', scopes: ['write'], expiresAt: null } as const;
const clock = new FakeClock();
let service: TestServer;
/** What the route waits for before it makes its thing; a test may put something slow here. */
let gate: Promise<void>;
/** The route waits from now on. */
let isBegun: () => void;
let made: number;

beforeEach(async () => {
  gate = Promise.resolve();
  isBegun = () => {};
  made = 0;
  service = await openTestServer({
    clock,
    jwt: { verify: async (token) => ({ ...SOMEBODY, workspace: token.split('.')[1]! }) },
    routes(server, store) {
      const thing = z.object({ id: z.string(), name: z.string() });
      server.post(
        '/things/:kind',
        {
          config: { idempotent: true },
          schema: { body: z.object({ name: z.string() }), response: { 201: thing } },
        },
        async ({ body, idempotency }, reply) => {
          if (body.name === 'unwanted') throw new Problem('invalid_state', 'Not this one.');
          isBegun();
          await gate;
          // What the document does not promise is in neither answer.
          const answer = { id: `thing-${++made}`, name: body.name, internal: 'not for you' };
          await store.write(thingTransactions.make, {
            name: answer.id,
            value: body.name,
            answer: idempotency?.answer(201, answer) ?? null,
          });
          return reply.code(201).send(answer);
        },
      );
      // What it does makes nothing that has a place of its own.
      server.post('/tidying', { config: { idempotent: true } }, async ({ idempotency }) => {
        const answer = { tidied: (made += 1) };
        await store.write(idempotencyTransactions.keep, { answer: idempotency!.answer(200, answer) });
        return answer;
      });
    },
  });
});

function make(
  key: string | undefined,
  payload: unknown,
  options: { url?: string; headers?: Record<string, string> } = {},
) {
  const headers = { ...AUTHORIZED, ...options.headers, 'content-type': 'application/json' };
  return service.server.inject({
    method: 'POST',
    url: options.url ?? '/things/small',
    headers: key === undefined ? headers : { ...headers, 'idempotency-key': key },
    payload: typeof payload === 'string' ? payload : JSON.stringify(payload),
  });
}
/** An injected request begins when somebody waits for it: here at once. */
const begin = (key: string, payload: object) => make(key, payload).then((response) => response);
const things = () => service.store.read(thingTransactions.count, {});

describe('an idempotency key', () => {
  it('gives the first answer again, to the byte, and has the effect once', async () => {
    const first = await make('k1', { name: 'one' });
    const again = await make('k1', '{ "name":\n"one" }');
    expect(first.statusCode).toBe(201);
    expect([again.statusCode, again.body]).toEqual([201, first.body]);
    expect(again.json()).toEqual({ id: 'thing-1', name: 'one' });
    expect(first.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.headers).toMatchObject({
      'idempotent-replayed': 'true',
      'content-type': 'application/json; charset=utf-8',
      location: '/things/small/thing-1',
    });
    expect(await things()).toBe(1);
  });

  it('is refused with another body, and with another path', async () => {
    await make('k1', { name: 'one' });
    expect((await make('k1', { name: 'two' })).json()).toMatchObject({
      status: 422,
      code: 'idempotency_key_reused',
    });
    expect((await make('k1', { name: 'one' }, { url: '/things/large' })).statusCode).toBe(422);
    expect((await make('k1', { name: 'one' }, { url: '/things/small?trial=yes' })).statusCode).toBe(422);
    expect(await things()).toBe(1);
  });

  it('belongs to who sent it', async () => {
    const { key } = await service.apiKeys.create({
      workspace: 'default',
      name: 'x',
      scopes: ['write'],
      expiresAt: null,
    });
    await make('k1', { name: 'one' });
    const other = await make('k1', { name: 'two' }, { headers: { 'x-api-key': key } });
    expect(other.statusCode).toBe(201);
  });

  it('belongs to one workspace, though an identity provider may know its holder in several', async () => {
    const headers = (workspace: string) => ({
      'x-api-key': '',
      authorization: `Bearer eyJ0.${workspace}.c2ln`,
    });
    expect((await make('k1', { name: 'one' }, { headers: headers('acme') })).statusCode).toBe(201);
    const other = await make('k1', { name: 'one' }, { headers: headers('other') });
    expect([other.statusCode, other.json()]).toEqual([201, { id: 'thing-2', name: 'one' }]);
    const again = await make('k1', { name: 'one' }, { headers: headers('acme') });
    expect(again.json()).toEqual({ id: 'thing-1', name: 'one' });
    expect(await things()).toBe(2);
  });

  it('is free again when whoever sent it has hung up, and their answer is kept for them', async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const begun = new Promise<void>((resolve) => (isBegun = resolve));
    const url = await service.server.listen({ host: '127.0.0.1', port: 0 });
    const leaving = new AbortController();
    const left = fetch(`${url}/things/small`, {
      method: 'POST',
      headers: { ...AUTHORIZED, 'content-type': 'application/json', 'idempotency-key': 'k1' },
      body: '{"name":"one"}',
      signal: leaving.signal,
    });
    await begun;
    leaving.abort();
    await expect(left).rejects.toMatchObject({ name: 'AbortError' });
    open();
    await expect.poll(things).toBe(1);
    await expect.poll(async () => (await make('k1', { name: 'one' })).body).toContain('thing-1');
    expect(await things()).toBe(1);
  });

  it('belongs to one endpoint, and names no place where nothing was made', async () => {
    await make('k1', { name: 'one' });
    const other = await make('k1', { name: 'one' }, { url: '/tidying' });
    expect([other.statusCode, other.json()]).toEqual([200, { tidied: 2 }]);
    const again = await make('k1', { name: 'one' }, { url: '/tidying' });
    expect([again.statusCode, again.body]).toEqual([200, other.body]);
    expect(again.headers['idempotent-replayed']).toBe('true');
    expect(again.headers).not.toHaveProperty('location');
  });

  it('is refused while the first request runs, and works once that is done', async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const first = begin('k1', { name: 'one' });
    const early = async () => (await make('k1', { name: 'one' })).statusCode;
    await expect.poll(early).toBe(409);
    const second = await make('k1', { name: 'one' });
    expect(second.json()).toMatchObject({ status: 409, code: 'idempotency_in_progress' });
    expect(second.headers['retry-after']).toBe('1');
    expect((await make('k1', { name: 'two' })).statusCode).toBe(422);
    open();
    expect((await first).statusCode).toBe(201);
    expect((await make('k1', { name: 'one' })).headers['idempotent-replayed']).toBe('true');
    expect(await things()).toBe(1);
  });

  it('gives the answer of another process that was quicker', async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const late = begin('k1', { name: 'one' });
    await expect.poll(async () => (await make('k1', { name: 'one' })).statusCode).toBe(409);
    // Meanwhile another process keeps its answer to the same request.
    const elsewhere = await openElsewhere();
    const quick = await elsewhere.make('k1', { name: 'one' });
    open();
    const answer = await late;
    expect([answer.statusCode, answer.body]).toEqual([201, quick.body]);
    expect(answer.headers['idempotent-replayed']).toBe('true');
    expect(await things()).toBe(1);
    // It is sent once, and the log knows what was sent.
    expect(service.logLines.filter(({ level }) => level === 'warn')).toEqual([]);
    const answered = service.logLines.filter(({ msg }) => msg === 'request answered');
    expect(answered.map(({ status }) => status)).toEqual([...Array(answered.length - 1).fill(409), 201]);
  });

  it('is refused when another process was quicker with another request', async () => {
    let open = () => {};
    gate = new Promise((resolve) => (open = resolve));
    const late = begin('k1', { name: 'one' });
    await expect.poll(async () => (await make('k1', { name: 'one' })).statusCode).toBe(409);
    await (await openElsewhere()).make('k1', { name: 'two' });
    open();
    expect((await late).json()).toMatchObject({ status: 422, code: 'idempotency_key_reused' });
    expect(await things()).toBe(1);
  });

  it('is not used up by an error, and is forgotten after a day', async () => {
    expect((await make('k1', { name: 'unwanted' })).statusCode).toBe(409);
    expect((await make('k1', {})).statusCode).toBe(400);
    expect((await make('k1', { name: 'one' })).statusCode).toBe(201);
    await clock.advance(DAY_MS - 1);
    expect((await make('k1', { name: 'one' })).headers['idempotent-replayed']).toBe('true');
    await clock.advance(1);
    expect((await make('k1', { name: 'two' })).statusCode).toBe(201);
    expect(await things()).toBe(2);
  });

  it('may be left out, and may not be too long', async () => {
    await make(undefined, { name: 'one' });
    await make(undefined, { name: 'one' });
    expect(await things()).toBe(2);
    expect((await make('x'.repeat(255), { name: 'one' })).statusCode).toBe(201);
    expect((await make('x'.repeat(256), { name: 'one' })).json()).toMatchObject({
      status: 400,
      details: [{ field: 'header.idempotency-key' }],
    });
  });

  /** The same route over the same database, in a server that knows nothing of what runs in the other one. */
  async function openElsewhere() {
    const { server, store } = await openTestServer({
      clock,
      routes(routes) {
        routes.post('/things/:kind', { config: { idempotent: true } }, async ({ idempotency }, reply) => {
          const answer = { id: 'thing-elsewhere', name: 'one' };
          await service.store.write(thingTransactions.make, {
            name: answer.id,
            value: 'one',
            answer: idempotency!.answer(201, answer),
          });
          return reply.code(201).send(answer);
        });
      },
    });
    expect(store).not.toBe(service.store);
    return {
      make: (key: string, payload: object) =>
        server.inject({
          method: 'POST',
          url: '/things/small',
          headers: { ...AUTHORIZED, 'idempotency-key': key },
          payload,
        }),
    };
  }
});
