import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SocketClient } from '#test/support/socket-client.js';
import { KEY, startAudioServer, type AudioServer } from './audio-server.js';

let service: AudioServer;
beforeEach(async () => {
  service = await startAudioServer();
});
afterEach(() => service.server.close());

const open = (path = '/ws/stream?sample_rate=16000') =>
  SocketClient.open(`${service.url}${path}`, { headers: { 'x-api-key': KEY } });
const frame = new Int16Array(320).fill(1000);

describe('an audio socket in trouble', () => {
  it('closes with 1011 on a fault of ours, says no more, and tells the call', async () => {
    const client = await open();
    const call = await service.calls.first();
    call.breaks = true;
    client.socket.send(Buffer.alloc(640));
    expect(await client.closed).toEqual({ code: 1011, reason: 'internal error' });
    expect(call.asked).toEqual(['disconnected failure']);
    expect(service.logLines).toMatchObject([{ level: 'error', msg: 'audio socket failed' }]);
  });

  it('closes with 1011 when a call cannot be opened for a reason of ours', async () => {
    service.calls.beforeOpen = () => Promise.reject(new Error('the disk is gone'));
    const client = await open();
    expect(await client.closed).toEqual({ code: 1011, reason: 'internal error' });
  });

  it('closes with 1009 on a message over a megabyte', async () => {
    const client = await open();
    const call = await service.calls.first();
    client.socket.send(Buffer.alloc(1024 * 1024 + 1));
    expect((await client.closed).code).toBe(1009);
    await service.empty();
    expect(call.asked).toEqual(['disconnected failure']);
  });

  it('tells the call that the peer has gone, once, also when it vanished without a word', async () => {
    for (const leave of ['close', 'terminate'] as const) {
      const client = await open();
      await service.calls.until(() => service.calls.calls.at(-1)?.asked.length === 0);
      client.socket[leave]();
      await service.empty();
      expect(service.calls.calls.at(-1)!.asked).toEqual(['disconnected closed']);
    }
  });

  it('tells a call that was still being opened when its peer went', async () => {
    let letOpen = () => {};
    service.calls.beforeOpen = () => new Promise((resolve) => (letOpen = resolve));
    const client = await open();
    await service.clock.advance(0);
    const gone = service.empty();
    for (const socket of service.server.websocketServer.clients) socket.terminate();
    await gone;
    letOpen();
    expect((await service.calls.first()).callId).toBe(client.headers['x-call-id']);
    const call = await service.calls.first();
    await service.calls.until(() => call.asked.length > 0);
    expect(call.asked).toEqual(['disconnected closed']);
  });

  it('drops frames for a peer that does not read, then ends the call after five seconds of sound', async () => {
    const client = await open();
    const call = await service.calls.first();
    const socket = [...service.server.websocketServer.clients][0]!;
    client.socket.pause();
    // The machine's own buffers take some megabytes before the socket has to wait.
    for (let i = 0; i < 40_000 && socket.bufferedAmount <= 64 * 1024; i++) call.opening.line.send(frame, 0);
    const fullBytes = socket.bufferedAmount;
    for (let i = 0; i < 249; i++) call.opening.line.send(frame, 0);
    expect(socket.bufferedAmount).toBe(fullBytes);
    expect(call.asked).toEqual([]);
    call.opening.line.send(frame, 0);
    expect(call.asked).toEqual(['disconnected failure']);
    const gone = service.empty();
    await service.clock.advance(5_000);
    await gone;
    expect(service.logLines).toMatchObject([{ level: 'warn', dropped_frames: 250, call_id: call.callId }]);
  });

  it('gives up a peer that shows no sign of life for thirty seconds, and keeps one that answers pings', async () => {
    const dead = await SocketClient.open(`${service.url}/ws/stream?sample_rate=16000`, {
      headers: { 'x-api-key': KEY },
      autoPong: false,
    });
    const deadCall = await service.calls.first();
    const alive = await open();
    await service.calls.until(() => service.calls.calls.length === 2);
    for (let beat = 0; beat < 3; beat++) {
      const pinged = new Promise((resolve) => alive.socket.once('ping', resolve));
      const [, aliveSocket] = [...service.server.websocketServer.clients];
      const answered = new Promise((resolve) => aliveSocket!.once('pong', resolve));
      await service.clock.advance(10_000);
      await Promise.all([pinged, answered]);
    }
    expect((await dead.closed).code).toBe(1006);
    expect(deadCall.asked).toEqual(['disconnected failure']);
    expect(service.calls.calls[1]!.asked).toEqual([]);
  });

  it('closes with 1001 when the server stops', async () => {
    const client = await open();
    const call = await service.calls.first();
    await service.server.close();
    expect((await client.closed).code).toBe(1001);
    expect(call.asked).toEqual(['disconnected closed']);
    expect(service.clock.armed).toBe(0);
  });
});

describe('whatever is thrown at it', () => {
  const word = fc.constantFrom(
    'event',
    'type',
    'media',
    'start',
    'stop',
    'text',
    'token',
    'payload',
    'track',
    'dtmf',
  );
  const json = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.oneof(word, fc.string(), fc.integer(), fc.boolean(), fc.constant(null)),
      fc.dictionary(fc.oneof(word, fc.string({ maxLength: 4 })), tie('value'), { maxKeys: 4 }),
      fc.array(tie('value'), { maxLength: 3 }),
    ),
  })).value;
  const message = fc.oneof(
    fc.uint8Array({ maxLength: 700 }).map((bytes) => Buffer.from(bytes)),
    fc.string({ unit: 'binary', maxLength: 200 }),
    json.map((value) => JSON.stringify(value)),
    fc
      .record({ event: word, start: json, media: json, dtmf: json, mark: json })
      .map((value) => JSON.stringify(value)),
    fc.record({ type: word, text: json, token: json }).map((value) => JSON.stringify(value)),
  );

  it('closes with a code of its own or carries on: never a crash, never a 1006', async () => {
    const messages = fc.sample(message, { numRuns: 500, seed: 20_261_121 });
    const codes = new Set<number>();
    for (let at = 0; at < messages.length; at += 5) {
      const path = ['/ws/stream', '/ws/stream?sample_rate=8000', '/ws/stream?encoding=mulaw&events=1'][
        at % 3
      ]!;
      const client = await (at % 2 ? open(path) : SocketClient.open(service.url + path));
      for (const item of messages.slice(at, at + 5)) client.socket.send(item);
      client.socket.close();
      codes.add((await client.closed).code);
    }
    expect(codes.has(1006)).toBe(false);
    expect(codes.has(1011)).toBe(false);
    await service.empty();
    const answers = await open();
    answers.socket.send(Buffer.alloc(640));
    await answers.until(() => answers.received.length === 1);
    expect(
      service.calls.calls.slice(0, -1).every((call) => call.asked.at(-1)?.startsWith('disconnected')),
    ).toBe(true);
  });
});
