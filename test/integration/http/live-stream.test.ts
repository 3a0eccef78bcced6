import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { DEFAULT_WORKSPACE } from '#access/keys/principal.js';
import { LiveFeed } from '#calls/live/sessions/live-feed.js';
import { liveRoutes } from '#http/routes/live.js';
import { createIds } from '#kernel/ids/ids.js';
import { LiveService } from '#live/live-service.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { PATIENCE_MS } from '#test/support/patience.js';
import { createMemoryLog } from '#test/support/memory-log.js';
import { startTestServer, type TestServer } from '#test/support/server.js';

const clock = new FakeClock();
const feed = new LiveFeed();
let service: TestServer;
let baseUrl: string;

beforeAll(async () => {
  service = await startTestServer({
    clock,
    servesConsole: true,
    routes: (server, store) => {
      const { log } = createMemoryLog();
      const live = new LiveService({ store, clock, ids: createIds(clock), log, feed });
      void server.register(liveRoutes, { live, clock });
    },
  });
  baseUrl = await service.server.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(() => service.close());

const say = (text: string) =>
  feed.publish(
    { id: 'call_1', workspace: DEFAULT_WORKSPACE, batch_id: null, enable_transcription: true },
    { type: 'transcript.partial', speaker: 'customer', text },
  );

/** Looks of the stream at its key go through the database, which takes real time. */
async function whileTimePasses(awaited: Promise<unknown>): Promise<void> {
  let isThere = false;
  void awaited.then(() => (isThere = true));
  await vi.waitFor(async () => {
    await clock.advance(5_000);
    expect(isThere).toBe(true);
  }, PATIENCE_MS);
}

interface Watched {
  status: number;
  type: string | null;
  /** The stream until a text has come, or its end. */
  until(text?: string): Promise<string>;
  close(): void;
}

async function watch(headers: Record<string, string>, query = ''): Promise<Watched> {
  const stop = new AbortController();
  const answer = await fetch(`${baseUrl}/api/live${query}`, { headers, signal: stop.signal });
  const reader = answer.body!.pipeThrough(new TextDecoderStream()).getReader();
  let read = '';
  return {
    status: answer.status,
    type: answer.headers.get('content-type'),
    async until(text) {
      while (text === undefined || !read.includes(text)) {
        const { done, value } = await reader.read();
        if (done) break;
        read += value;
      }
      return read;
    },
    close: () => stop.abort(),
  };
}

it('is a stream of events, with a comment while nothing happens', async () => {
  const { key } = await service.apiKeys.create({
    workspace: DEFAULT_WORKSPACE,
    name: 'Wall',
    scopes: ['read'],
    expiresAt: null,
  });
  const stream = await watch({ 'x-api-key': key });
  expect([stream.status, stream.type]).toEqual([200, 'text/event-stream; charset=utf-8']);
  say('hello');
  expect(await stream.until('hello')).toContain(
    'event: call.partial\ndata: {"call_id":"call_1","speaker":"customer","text":"hello"}\n\n',
  );
  const comment = stream.until(': here');
  await whileTimePasses(comment);
  expect(await comment).toContain(': here');
  stream.close();
});

it('ends with the key, or the session, that opened it', async () => {
  const { key, row } = await service.apiKeys.create({
    workspace: DEFAULT_WORKSPACE,
    name: 'Wall',
    scopes: ['read'],
    expiresAt: null,
  });
  const signedIn = await fetch(`${baseUrl}/console/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  });
  const cookie = signedIn.headers.get('set-cookie')!.split(';', 1)[0]!;
  const streams = [await watch({ 'x-api-key': key }), await watch({ cookie })];
  await service.apiKeys.revoke({ workspace: DEFAULT_WORKSPACE, id: row.id });
  for (const stream of streams) {
    const rest = stream.until();
    await whileTimePasses(rest);
    expect(await rest).not.toContain('data:');
  }
});

it.each([
  ['', 401, {}],
  ['?types=nonsense', 400, { 'x-api-key': 'a-key-for-tests-0001' }],
])('refuses what is wrong: %s', async (query, status, headers) => {
  const refused = await watch(headers, query);
  expect(refused.status).toBe(status);
  refused.close();
});

it('says with sync that the id is not held any more', async () => {
  const headers = { 'x-api-key': 'a-key-for-tests-0001' };
  const byHeader = await watch({ ...headers, 'last-event-id': 'node_old-1' });
  expect(await byHeader.until('sync')).toContain('event: sync\ndata: {}\n\n');
  byHeader.close();
  const byQuery = await watch(headers, '?last_event_id=node_old-1');
  expect(await byQuery.until('sync')).toContain('event: sync');
  byQuery.close();
});
