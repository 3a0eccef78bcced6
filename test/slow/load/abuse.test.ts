import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '#kernel/time/clock.js';
import { HANDSHAKE_MS } from '#ws/opening/handshake.js';
import { callOnce } from '#test/support/call-story.js';
import { TEST_KEY } from '#test/support/test-service.js';
import { SocketClient } from '#test/support/socket-client.js';
import { KEY, startAudioServer } from '#test/integration/ws/audio-server.js';
import {
  BREAKS_OFF,
  NEVER_BEGINS,
  openStream,
  SILENT_FRAME,
  startAttackedService,
  startMessage,
  type AttackedService,
} from '#test/integration/ws/attacked-service.js';
import { stay, unfinishedMessage } from '#test/integration/ws/unauthenticated-connection.js';

const REFUSED = { code: 1008, reason: 'missing or invalid credentials' };
const MEGABYTE = 1024 * 1024;

/** How far the service's calendar is ahead. */
let laterMs = 0;
let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService({
    ...systemClock,
    wallMs: () => systemClock.wallMs() + laterMs,
    // Nobody is sent away only because the time is over in which strangers must say who they are.
    after: (delayMs, task) => (delayMs === HANDSHAKE_MS ? () => {} : systemClock.after(delayMs, task)),
  });
});
afterAll(() => service.close());

const knock = () => SocketClient.open(`${service.wsUrl}/ws/stream`);

/** The carrier's stream, as soon as the agent is heard. */
async function talk(agentName?: string) {
  const announced = await service.announce(agentName);
  const client = await openStream(service, announced);
  client.socket.send(SILENT_FRAME);
  await client.until(() => client.received.length > 0);
  return { ...announced, client };
}

describe('a token', () => {
  it.each([
    ['none', async () => null],
    ['an empty one', async () => ''],
    ['one of our shape that we never made', async () => `st_${'A'.repeat(32)}`],
    ['a wrong one', async () => 'open sesame'],
    ['one of 50 kB', async () => 'x'.repeat(50_000)],
    ['one that was used', async () => (await talk()).token],
    [
      'one of a call that is over',
      async () => {
        const { token, providerCallId } = await service.announce();
        const form = new URLSearchParams({ CallSid: providerCallId, CallStatus: 'completed' });
        const headers = {
          'x-api-key': TEST_KEY,
          'content-type': 'application/x-www-form-urlencoded',
        };
        const url = '/webhook/twilio/status';
        await service.app.server.inject({ method: 'POST', url, headers, payload: form.toString() });
        return token;
      },
    ],
  ])('%s opens nothing', async (_name, makeToken) => {
    const token = await makeToken();
    const client = await knock();
    client.say(startMessage(token));
    expect(await client.closed).toEqual(REFUSED);
  });

  it('opens its own call and no other, whatever the peer says that it is', async () => {
    const [one, other] = [await service.announce(), await service.announce()];
    const client = await openStream(service, { ...one, providerCallId: other.providerCallId });
    client.socket.send(SILENT_FRAME);
    await client.until(() => client.received.length > 0);
    expect(await service.call(one.callId)).toMatchObject({
      status: 'active',
      provider_call_id: one.providerCallId,
    });
    expect(await service.call(other.callId)).toMatchObject({ status: 'initiated' });
    const second = await openStream(service, other);
    second.socket.send(SILENT_FRAME);
    await second.until(() => second.received.length > 0);
  });

  it('is good for a minute', async () => {
    const { token } = await service.announce();
    laterMs = 60_000;
    const client = await knock();
    client.say(startMessage(token));
    expect(await client.closed).toEqual(REFUSED);
    laterMs = 0;
  });

  it('is good for one socket when a hundred come with it at once', async () => {
    const announced = await service.announce();
    const clients = await Promise.all(Array.from({ length: 100 }, knock));
    for (const { socket } of clients) {
      socket.send(JSON.stringify(startMessage(announced.token)));
      socket.send(SILENT_FRAME);
    }
    const outcomes = await Promise.all(
      clients.map(async (client) =>
        Promise.race([client.closed, client.until(() => client.received.length > 0)]),
      ),
    );
    expect(outcomes.filter((outcome) => outcome?.code === 1008)).toHaveLength(99);
  });
});

describe('strangers', () => {
  it('cannot fill the memory with messages that never end', async () => {
    const strangers = await Promise.all(Array.from({ length: 100 }, () => stay(service.wsUrl)));
    const message = unfinishedMessage(900 * 1024);
    for (const { say } of strangers) say(message);
    await Promise.all(strangers.map(({ gone }) => gone));
  });

  it('cannot try out keys as fast as sockets can be opened', async () => {
    const strict = await startAttackedService(systemClock, { RATE_LIMIT_PER_MINUTE: '2' });
    const guess = (key: string) => SocketClient.open(`${strict.wsUrl}/ws/stream?api_key=${key}`);
    await expect(guess('one')).rejects.toThrow('HTTP 401');
    await expect(guess('two')).rejects.toThrow('HTTP 401');
    await expect(guess('three')).rejects.toThrow('HTTP 429');
    // Who has a key, and carriers, who bring theirs later, come in as before.
    (await guess(TEST_KEY)).socket.terminate();
    (await SocketClient.open(`${strict.wsUrl}/ws/stream`)).socket.terminate();
    await strict.close();
  });

  it('cannot try them out in first messages, either', async () => {
    const strict = await startAttackedService(systemClock, { RATE_LIMIT_PER_MINUTE: '2' });
    const show = async (token: string) => {
      const client = await SocketClient.open(`${strict.wsUrl}/ws/stream`);
      client.say(startMessage(token));
      return client;
    };
    expect(await (await show('one')).closed).toEqual(REFUSED);
    expect(await (await show('two')).closed).toEqual(REFUSED);
    expect((await (await show('three')).closed).code).toBe(1013);
    // Tokens of calls that are over are no guesses, and who has a key comes in as before.
    expect(await (await show(`st_${'A'.repeat(32)}`)).closed).toEqual(REFUSED);
    const friend = await show(TEST_KEY);
    await friend.until(() => friend.received.length > 0);
    friend.socket.terminate();
    await strict.close();
  });

  it.each([
    ['with a token that is none', '/ws/stream/agent_1/st_none', 'the stream did not begin'],
    ['without any', '/ws/stream', REFUSED.reason],
  ])('may greet ten times and no more: %s', async (_name, path, reason) => {
    const client = await SocketClient.open(service.wsUrl + path);
    for (let i = 0; i < 11; i++) client.say({ event: 'connected' });
    expect(await client.closed).toEqual({ code: 1008, reason });
  });
});

describe('nonsense', () => {
  const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
  const long = 'x'.repeat(10_000);
  const asStart = (more: string) => `{"event":"start","streamSid":"MZ1",${more}}`;

  it.each([
    [
      'spaces where a header belongs',
      `{"event":"start","start":{"callId":"1"},"extra_headers":"${' '.repeat(30_000)}"}`,
    ],
    ['nesting', asStart(`"start":{"customParameters":{"token":${deep}}}`)],
    ['nesting where a number belongs', asStart(`"start":{"mediaFormat":{"sampleRate":${deep}}}`)],
    ['a text that is none', asStart('"start":{"customParameters":{"token":{"toString":1}}}')],
    [
      'a prototype',
      asStart(
        '"start":{"__proto__":{"customParameters":{"token":"x"}},"customParameters":{"__proto__":{"token":"x"}}}',
      ),
    ],
    [
      'a prototype of everything',
      '{"__proto__":{"event":"start"},"constructor":{"prototype":{"token":"x"}}}',
    ],
    ['long names', asStart(`"start":{"callSid":"${long}"}`)],
    ['half a message', '{"event":"start","start":{"cust'],
    ['sound before the start', SILENT_FRAME],
  ])('from a stranger is refused at once: %s', async (_name, text) => {
    const client = await knock();
    client.socket.send(text);
    expect((await client.closed).code).toBe(1008);
    expect(({} as Record<string, unknown>)['token']).toBeUndefined();
  });

  it.each([
    ['binary', Buffer.alloc(160), 1008],
    ['no JSON', 'hello', 1008],
    ['too much', Buffer.alloc(MEGABYTE + 1), 1009],
    ['a key that no telephone has', '{"event":"dtmf","dtmf":{"digit":"constructor"}}', 1008],
    ['media of nothing', '{"event":"media","media":null}', 1008],
    ['a mark of 10 kB', `{"event":"mark","mark":{"name":"${long}"}}`, 1008],
  ])('in a call ends that call alone: %s', async (_name, message, code) => {
    const [bad, good] = [await talk(), await talk()];
    bad.client.socket.send(message);
    expect((await bad.client.closed).code).toBe(code);
    const ended = await callOnce(service.request, bad.callId);
    expect(ended.ended_reason).toBe('stream_error');
    await service.untilHungUp(bad.providerCallId);
    good.client.say({ event: 'media', media: { track: 'inbound', payload: '!!! not base64 !!!' } });
    good.client.socket.send(`{"event":"unheard_of","deep":${deep},"__proto__":{"event":"stop"}}`);
    good.client.socket.send(SILENT_FRAME);
    const heard = good.client.received.length;
    await good.client.until(() => good.client.received.length > heard);
    expect((await service.call(good.callId)).status).toBe('active');
    good.client.socket.close();
  });
});

describe('a peer out of step', () => {
  it('at ten times real time is bounded: what is too much is dropped and counted', async () => {
    const { client, callId } = await talk();
    const before = process.memoryUsage().arrayBuffers;
    // A hundred seconds of sound, at once.
    for (let i = 0; i < 5_000; i++) client.socket.send(SILENT_FRAME);
    client.say({ event: 'stop' });
    await callOnce(service.request, callId);
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(16 * MEGABYTE);
    const [line] = service.logLines.filter(({ msg }) => msg === 'a caller sent sound faster than real time');
    // Ten seconds may wait; silence is skipped while it does.
    expect(line!['dropped_ms']).toBeGreaterThan(60_000);
  });

  /** A call whose peer has stopped to read, when the machine's own buffers, of some megabytes, are full. */
  async function stuck() {
    const audio = await startAudioServer();
    const address = `${audio.url}/ws/stream?events=true`;
    const client = await SocketClient.open(address, { headers: { 'x-api-key': KEY } });
    const call = await audio.calls.first();
    const [socket] = audio.server.websocketServer.clients;
    client.socket.pause();
    const frame = new Int16Array(320).fill(1000);
    for (let i = 0; i < 40_000 && socket!.bufferedAmount <= 64 * 1024; i++) call.opening.line.send(frame, 0);
    return { audio, client, call, socket: socket!, fullBytes: socket!.bufferedAmount };
  }

  it('that asks and never reads the answers does not pile them up', async () => {
    const { audio, client, call, socket, fullBytes } = await stuck();
    for (let i = 0; i < 1_000; i++) client.say({ type: 'ping' });
    client.say({ type: 'text', text: 'hello' });
    await audio.calls.until(() => call.asked.includes('type hello'));
    expect(socket.bufferedAmount).toBe(fullBytes);
    client.socket.terminate();
    await audio.server.close();
  });

  it('that pings and never reads does not pile up the answers to that, either: it is let go of', async () => {
    const { audio, client, socket, fullBytes } = await stuck();
    const gone = audio.empty();
    for (let i = 0; i < 1_000; i++) client.socket.ping(Buffer.alloc(125));
    await gone;
    expect(socket.bufferedAmount - fullBytes).toBeLessThan(16 * 1024);
    client.socket.terminate();
    await audio.server.close();
  });

  it('that does not go when it is asked to is let go of five seconds later', async () => {
    const audio = await startAudioServer();
    const stubborn = await Promise.all(Array.from({ length: 20 }, () => stay(audio.url)));
    await audio.clock.advance(5_000);
    await Promise.all(stubborn.map(({ toldGoodbye }) => toldGoodbye));
    expect(audio.server.websocketServer.clients.size).toBe(20);
    await audio.clock.advance(5_000);
    await Promise.all(stubborn.map(({ gone }) => gone));
    await audio.server.close();
  });
});

describe('a fault of ours', () => {
  it.each([NEVER_BEGINS, BREAKS_OFF])(
    'closes with 1011 and hangs up at the carrier: %s',
    async (agentName) => {
      const announced = await service.announce(agentName);
      const client = await openStream(service, announced);
      client.socket.send(SILENT_FRAME);
      expect((await client.closed).code).toBe(1011);
      await service.untilHungUp(announced.providerCallId);
      const ended = await callOnce(service.request, announced.callId);
      expect(ended.ended_reason).toBe('agent_error');
    },
  );
});

it('tells the log no token and no number', () => {
  const lines = JSON.stringify(service.logLines);
  expect(lines).not.toMatch(/st_[A-Za-z0-9_-]{8}/);
  expect(lines).not.toContain('14155550');
  expect(lines).not.toContain(TEST_KEY);
});
