import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { problemBody } from '#http/problems/problem-body.js';
import { problems } from '#http/schemas/route-schema.js';
import { Problem } from '#kernel/errors/errors.js';
import { AUTHORIZED, startTestServer, type TestServer } from '#test/support/server.js';

const SECRET = 'select * from secrets; /root/key.pem';
let service: TestServer;

beforeAll(async () => {
  service = await startTestServer({
    routes(server) {
      const schema = {
        body: z.object({ name: z.string() }),
        response: { 200: z.object({ name: z.string() }), ...problems(400, 409) },
      };
      server.put('/things/:id', { schema }, ({ body }) => body);
      server.post('/things', { schema }, ({ body }) => body);
      server.post('/things/preview', { schema }, ({ body }) => body);
      server.get('/fault', () => {
        throw new Error(SECRET);
      });
      server.get('/odd-answer', { schema: { response: { 200: z.object({ size: z.int() }) } } }, () => ({
        size: Number.NaN,
      }));
      server.get('/conflict', () => {
        throw new Problem('invalid_state', 'It is over.');
      });
      server.get('/files/*', (_request, reply) => reply.callNotFound());
      server.get('/full', () => {
        throw new Problem('unavailable', 'The disk is full.');
      });
      server.post('/action', (request) => ({ got: request.body ?? null }));
    },
  });
});
afterAll(() => service.close());

const ask = (
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  url: string,
  payload?: string,
  type = 'application/json',
  headers: Record<string, string> = {},
) =>
  service.server.inject({
    method,
    url,
    headers: { ...AUTHORIZED, ...(payload !== undefined && { 'content-type': type }), ...headers },
    ...(payload !== undefined && { payload }),
  });

describe('every error', () => {
  it.each([
    ['malformed JSON', () => ask('POST', '/things', '{"name":'), 400, 'invalid_json'],
    [
      'a poisoned prototype',
      () => ask('POST', '/things', '{"name":"x","__proto__":{"a":1}}'),
      400,
      'validation_error',
    ],
    ['a missing field', () => ask('POST', '/things', '{}'), 400, 'validation_error'],
    ['no body', () => ask('POST', '/things'), 400, 'validation_error'],
    ['U+0000 in a text', () => ask('POST', '/things', '{"name":"a\\u0000b"}'), 400, 'validation_error'],
    [
      'a very deep body',
      () => ask('POST', '/things', `{"name":${'['.repeat(9_999)}${']'.repeat(9_999)}}`),
      400,
      'validation_error',
    ],
    [
      'a body that is no JSON type',
      () => ask('POST', '/things', 'name=x', 'application/x-www-form-urlencoded'),
      415,
      'unsupported_media_type',
    ],
    ['a type that is none', () => ask('POST', '/things', '{}', 'nonsense'), 415, 'unsupported_media_type'],
    [
      'a body that is packed',
      () => ask('POST', '/things', '{"name":"x"}', undefined, { 'content-encoding': 'gzip' }),
      415,
      'unsupported_media_type',
    ],
    [
      'a body over the limit',
      () => ask('POST', '/things', JSON.stringify({ name: 'x'.repeat(1_100_000) })),
      413,
      'payload_too_large',
    ],
    ['a file that is not there', () => ask('GET', '/files/none.txt'), 404, 'route_not_found'],
    ['an unknown path', () => ask('GET', '/nowhere'), 404, 'route_not_found'],
    ['a path that is no path', () => ask('GET', '/%zz'), 404, 'route_not_found'],
    ['an endless id', () => ask('PUT', `/things/${'x'.repeat(300)}`, '{}'), 404, 'route_not_found'],
    ['U+0000 in a path', () => ask('GET', '/things/%00'), 404, 'route_not_found'],
    ['U+0000 in a query', () => ask('GET', '/conflict?q=%00'), 400, 'validation_error'],
    ['a method that is not there', () => ask('DELETE', '/things'), 405, 'method_not_allowed'],
    ['a state that does not allow it', () => ask('GET', '/conflict'), 409, 'invalid_state'],
    ['a full store', () => ask('GET', '/full'), 503, 'unavailable'],
    ['a fault of ours', () => ask('GET', '/fault'), 500, 'internal_error'],
    ['an answer that breaks its promise', () => ask('GET', '/odd-answer'), 500, 'internal_error'],
  ])('of %s has the one shape', async (_name, request, status, code) => {
    const response = await request();
    expect(response.statusCode).toBe(status);
    const body = problemBody.parse(response.json());
    expect(body).toMatchObject({ status, code, request_id: response.headers['x-request-id'] });
    expect(body.request_id).toMatch(/^req_[0-9a-z]{26}$/);
    expect(response.headers).toMatchObject({
      'x-api-version': '1.0.0',
      'content-type': 'application/json; charset=utf-8',
    });
  });

  it('names the fields that have U+0000', async () => {
    const fieldsOf = async (answer: ReturnType<typeof ask>) =>
      problemBody.parse((await answer).json()).details.map(({ field }) => field);
    const twice = '{"name":"\\u0000","rows":[{"a\\u0000":1},{"b":"\\u0000"}]}';
    expect(await fieldsOf(ask('POST', '/things', twice))).toEqual(['name', 'rows[0]', 'rows[1].b']);
    expect(await fieldsOf(ask('GET', '/conflict?limit=1&q=a%00b&q=%00'))).toEqual(['query.q']);
    expect(await fieldsOf(ask('GET', '/conflict?q%00=1'))).toEqual(['query']);
    const overruled = await ask('POST', '/things', '{"name":"\\u0000","name":"x"}');
    expect(overruled.statusCode).toBe(200);
  });

  it.each([
    ['half a character', '{"name":"a\\ud800b"}', 'name', 'invalid_character'],
    ['half a character in a key', '{"name":"x","data":{"\\udfff":1}}', 'data', 'invalid_character'],
    ['a number beyond all', '{"name":"x","data":{"rows":[1,-1e400]}}', 'data.rows[1]', 'too_big'],
    ['more digits than are kept', '{"name":"x","data":{"id":-12345678901234567890}}', 'data.id', 'too_big'],
  ])('names the field that has %s', async (_what, body, field, code) => {
    const refused = await ask('POST', '/action', body);
    expect(refused.json()).toMatchObject({ status: 400, details: [{ field, code }] });
    expect((await ask('POST', '/action', '{"name":"\\ud83d\\ude00","rows":[1e300]}')).json()).toEqual({
      got: { name: '😀', rows: [1e300] },
    });
  });

  it('says of a body that is not UTF-8 that it is not', async () => {
    const refused = await service.server.inject({
      method: 'POST',
      url: '/action',
      headers: { ...AUTHORIZED, 'content-type': 'application/json' },
      payload: Buffer.from('{"name":"\xff"}', 'latin1'),
    });
    expect(refused.json()).toMatchObject({
      status: 400,
      details: [{ field: 'body', message: 'is not UTF-8' }],
    });
  });

  it('names the methods that are there', async () => {
    expect((await ask('GET', '/things')).headers.allow).toBe('POST');
    expect((await ask('POST', '/things/7/')).headers.allow).toBe('PUT');
  });

  it('does not take what has a name of its own for an id', async () => {
    for (const [method, body] of [['PUT', '{"name":"x"}'], ['PUT', '{'], ['GET'], ['DELETE']] as const) {
      const refused = await ask(method, '/things/preview?deep=1', body);
      expect(refused.json()).toMatchObject({ status: 405, message: 'This path accepts POST.' });
      expect(refused.headers.allow).toBe('POST');
    }
    expect((await ask('POST', '/things/preview', '{"name":"x"}')).statusCode).toBe(200);
  });

  it('says when to come back', async () => {
    expect((await ask('GET', '/full')).headers['retry-after']).toBe('1');
  });

  it('tells a stranger nothing of what went wrong inside, and the log everything but secrets', async () => {
    const response = await ask('GET', '/fault');
    expect(response.body).not.toMatch(/select|root|stack|\.ts/i);
    const line = service.logLines.findLast((entry) => entry['msg'] === 'request failed');
    expect(line).toMatchObject({ level: 'error', request_id: response.headers['x-request-id'] });
    expect(JSON.stringify(line)).toContain(SECRET);
  });
});

describe('what is tolerated', () => {
  it.each([
    ['an announced body that is empty', '', 'application/json'],
    ['an empty form', '', 'application/x-www-form-urlencoded'],
    ['blanks', '  \n', 'application/json'],
  ])('%s on an action', async (_name, payload, type) => {
    const response = await ask('POST', '/action', payload, type);
    expect([response.statusCode, response.json()]).toEqual([200, { got: null }]);
  });

  it('a charset, and JSON under another name', async () => {
    for (const type of [
      'application/json; charset=utf-8',
      'application/merge-patch+json',
      'Application/JSON',
    ])
      expect((await ask('POST', '/things', '{"name":"x"}', type)).json()).toEqual({ name: 'x' });
  });

  it('a slash at the end', async () => {
    expect((await ask('POST', '/things/', '{"name":"x"}')).statusCode).toBe(200);
  });
});

it('writes one line for each answer, without query, body or address', async () => {
  const response = await service.server.inject({
    method: 'PUT',
    url: '/things/+14155550123?token=rt_secret&phone=%2B14155550123',
    headers: AUTHORIZED,
    payload: { name: 'Ada Lovelace' },
  });
  const lines = service.logLines.filter((line) => line['request_id'] === response.headers['x-request-id']);
  expect(lines).toHaveLength(1);
  expect(lines[0]).toMatchObject({ level: 'info', method: 'PUT', route: '/things/:id', status: 200 });
  expect(JSON.stringify(lines)).not.toMatch(/rt_secret|4155550|Ada|127\.0/);
});
