import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AUTHORIZED, startTestServer, type TestServer } from '#test/support/server.js';

const SIZE_BYTES = 24 * 1024 * 1024;

let service: TestServer;
let url: string;

beforeAll(async () => {
  service = await startTestServer({ routes: (server) => server.post('/things', () => ({})) });
  url = `${await service.server.listen({ host: '127.0.0.1', port: 0 })}/things`;
});
afterAll(() => service.close());

/** Begins to send so many bytes; null: nobody says how many. */
function post(type: string, sizeBytes: number | null, connection: string) {
  const length = sizeBytes === null ? {} : { 'content-length': String(sizeBytes) };
  const headers = { ...AUTHORIZED, 'content-type': type, ...length, connection };
  const sent = request(url, { method: 'POST', headers });
  const answer = once(sent, 'response') as Promise<[IncomingMessage]>;
  sent.flushHeaders();
  return { sent, answer: answer.then(([message]) => message) };
}

it.each([
  ['too much', 'application/json', 413],
  ['what is not taken', 'text/csv', 415],
])(
  'hears whoever sends %s to the end: a connection that breaks would hide the answer',
  async (_what, type, status) => {
    const { sent, answer } = post(type, SIZE_BYTES, 'close');
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    sent.write(Buffer.alloc(1));
    // What comes after it has been answered by then.
    for (let i = 0; i < 3; i += 1) expect((await fetch(url)).status).toBe(405);
    expect(isAnswered).toBe(false);
    sent.end(Buffer.alloc(SIZE_BYTES - 1));
    expect((await answer).statusCode).toBe(status);
  },
);

it.each([
  ['too much', 'application/json', 413],
  ['what is not taken', 'text/csv', 415],
])(
  'hears whoever sends %s to the end, also where nobody says how much it is',
  async (_what, type, status) => {
    const { sent, answer } = post(type, null, 'keep-alive');
    let isAnswered = false;
    void answer.then(() => (isAnswered = true));
    sent.write(Buffer.alloc(SIZE_BYTES));
    for (let i = 0; i < 3; i += 1) expect((await fetch(url)).status).toBe(405);
    expect(isAnswered).toBe(false);
    sent.end();
    const { statusCode, headers } = await answer;
    expect(statusCode).toBe(status);
    expect(headers.connection).not.toBe('close');
  },
);

it('does not wait for a flood of which nobody says how much it is', async () => {
  const { sent, answer } = post('application/json', null, 'keep-alive');
  sent.on('error', () => {});
  for (let i = 0; i < 4; i += 1) sent.write(Buffer.alloc(SIZE_BYTES));
  const { statusCode, headers } = await answer;
  expect([statusCode, headers.connection]).toEqual([413, 'close']);
  sent.destroy();
});

it('does not wait for a flood', async () => {
  const { sent, answer } = post('application/json', 2 ** 40, 'keep-alive');
  const { statusCode, headers } = await answer;
  expect([statusCode, headers.connection]).toEqual([413, 'close']);
  sent.on('error', () => {});
  sent.destroy();
});
