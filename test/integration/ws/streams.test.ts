import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeUlaw, encodeUlaw } from '#media/samples/g711.js';
import { SocketClient } from '#test/support/socket-client.js';
import { KEY, startAudioServer, type AudioServer } from './audio-server.js';

let service: AudioServer;
beforeEach(async () => {
  service = await startAudioServer();
});
afterEach(() => service.server.close());

const open = (path: string) => SocketClient.open(`${service.url}${path}`, { headers: { 'x-api-key': KEY } });

/** Samples that are all different from their neighbours, so that a lost or doubled byte shows. */
function ramp(count: number): Int16Array {
  return Int16Array.from({ length: count }, (_, i) => ((i * 7919) % 65536) - 32768);
}

const bytesOf = (samples: Int16Array) => Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength);

describe('the plain protocol', () => {
  it('carries 16 kHz samples both ways in 20 ms frames, and nothing but sound', async () => {
    const client = await open('/ws/stream/agent_1');
    const sound = ramp(3200);
    client.socket.send(bytesOf(sound));
    await client.until(() => client.received.length === 10);
    expect(client.received.every((item) => 'binary' in item && item.binary.length === 640)).toBe(true);
    expect(client.sound).toEqual(bytesOf(sound));
  });

  it('takes chunks that are cut anywhere, also within a sample', async () => {
    const client = await open('/ws/stream?sample_rate=8000');
    const sound = bytesOf(ramp(1600));
    for (let at = 0, size = 1; at < sound.length; at += size, size = (size * 7 + 3) % 331) {
      client.socket.send(sound.subarray(at, at + size));
    }
    await client.until(() => client.received.length === 10);
    expect(client.sound).toEqual(sound);
    expect((await service.calls.first()).opening.line.sampleRateHz).toBe(8000);
  });

  it.each([44_100, 48_000, 11_025])('takes and gives sound at %i Hz, as a client has it', async (rate) => {
    const client = await open(`/ws/stream?sample_rate=${rate}`);
    // A second of a tone.
    const tone = Int16Array.from(
      { length: rate },
      (_, i) => 8_000 * Math.sin((2 * Math.PI * 440 * i) / rate),
    );
    client.socket.send(bytesOf(tone));
    await client.until(() => client.received.length >= 49);
    const call = await service.calls.first();
    expect(call.opening.line.sampleRateHz).toBe(16_000);
    expect(call.heardSamples).toBeGreaterThan(15_900);
    const heard = client.sound.length / 2;
    expect(Math.abs(heard - (rate * 49) / 50)).toBeLessThan(rate / 25);
    client.socket.close();
  });

  it.each(['7999', '48001', '16000.5', 'fast'])('refuses sound at %s Hz', async (rate) => {
    const answer = await fetch(`${service.url.replace('ws', 'http')}/ws/stream?sample_rate=${rate}`, {
      headers: { 'x-api-key': KEY },
    });
    expect(answer.status).toBe(400);
  });

  it('carries μ-law at 8 kHz', async () => {
    const client = await open('/ws/stream?encoding=mulaw');
    const sound = Buffer.from(Array.from({ length: 320 }, (_, i) => (i * 3) % 127));
    client.socket.send(sound);
    await client.until(() => client.received.length === 2);
    expect(client.sound).toEqual(sound);
  });

  it('tells its call what the client says of the caller', async () => {
    const query = new URLSearchParams({
      sample_rate: '16000',
      caller_number: '+1 415 555 0123',
      variables: '{"day":"Monday","name":"Eve"}',
      customer_data: '{"name":"Ada"}',
    });
    const client = await open(`/ws/stream?${query.toString()}`);
    expect((await service.calls.first()).opening.caller).toEqual({
      number: '+14155550123',
      variables: { day: 'Monday', name: 'Ada' },
    });
    client.socket.close();
  });

  it('is told of the caller in the first message of a client that brings its key there', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream?caller_number=%2B14155550123`);
    const start = { type: 'start', token: KEY, variables: { day: 'Monday' }, customer_data: { name: 'Ada' } };
    client.socket.send(JSON.stringify(start));
    expect((await service.calls.first()).opening.caller).toEqual({
      number: '+14155550123',
      variables: { day: 'Monday', name: 'Ada' },
    });
    client.socket.close();
  });

  it('opens the call of a client that only listens after half a second', async () => {
    const client = await open('/ws/stream');
    await service.clock.advance(499);
    expect(service.calls.calls.length).toBe(0);
    await service.clock.advance(1);
    const call = await service.calls.first();
    call.opening.line.send(new Int16Array(320), 0);
    await client.until(() => client.received.length === 1);
  });

  it('hears what came while the call was being opened, in order', async () => {
    let letOpen = () => {};
    service.calls.beforeOpen = () => new Promise((resolve) => (letOpen = resolve));
    const client = await open('/ws/stream?sample_rate=16000');
    const sound = bytesOf(ramp(3200));
    for (let at = 0; at < sound.length; at += 640) client.socket.send(sound.subarray(at, at + 640));
    await client.until(() => client.socket.bufferedAmount === 0);
    letOpen();
    await client.until(() => client.received.length === 10);
    expect(client.sound).toEqual(sound);
  });

  it('passes typed turns, interruptions and hang-up on, and sends events to those who ask', async () => {
    const client = await open('/ws/stream?events=true');
    const call = await service.calls.first();
    client.say({ type: 'text', text: ' hello ' });
    client.say({ type: 'interrupt' });
    client.say({ type: 'something new' });
    client.say({ type: 'ping' });
    client.say({ type: 'hangup' });
    expect(await client.closed).toEqual({ code: 1000, reason: 'the call is over' });
    await service.empty();
    expect(call.asked).toEqual(['type hello', 'interrupt', 'hang up', 'disconnected closed']);
    expect(client.texts.map((text) => text['type'])).toEqual(['session.started', 'pong', 'call.ended']);
    expect(client.texts[0]!['call_id']).toBe(client.headers['x-call-id']);
  });

  it('closes only after everything sent has left', async () => {
    const client = await open('/ws/stream?sample_rate=16000');
    const call = await service.calls.first();
    for (let i = 0; i < 90; i++) call.opening.line.send(new Int16Array(320).fill(i), 0);
    call.opening.close(1000, 'the agent hung up');
    expect((await client.closed).code).toBe(1000);
    expect(client.sound.length).toBe(90 * 640);
    expect(client.sound.readInt16LE(90 * 640 - 2)).toBe(89);
  });

  it.each([
    ['text that is no JSON', 'hello', 'text frames hold JSON objects'],
    ['an empty turn', '{"type":"text","text":" "}', 'a "text" message is malformed'],
    [
      'a media stream that comes too late',
      '{"event":"connected"}',
      "a carrier's stream begins with its first message",
    ],
  ])('is closed for %s', async (_what, message, reason) => {
    const client = await open('/ws/stream?events=true');
    client.socket.send(message);
    expect(await client.closed).toEqual({ code: 1008, reason });
    await service.empty();
    expect((await service.calls.first()).asked).toEqual(['disconnected failure']);
  });
});

describe('the media-stream protocol', () => {
  const sid = 'MZ0123';
  const start = {
    event: 'start',
    sequenceNumber: '1',
    streamSid: sid,
    start: {
      streamSid: sid,
      callSid: 'CA1',
      tracks: ['inbound'],
      customParameters: { plan: 'gold' },
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: '8000', channels: 1 },
    },
  };
  const media = (payload: Buffer, track = 'inbound') => ({
    event: 'media',
    sequenceNumber: '2',
    streamSid: sid,
    media: { track, chunk: '1', timestamp: '5', payload: payload.toString('base64') },
  });

  it('is recognised by its first message and carries μ-law both ways', async () => {
    const client = await open('/ws/stream/agent_1');
    client.say({ event: 'connected', protocol: 'Call', version: '1.0.0' });
    client.say(start);
    const codes = Buffer.from(Array.from({ length: 160 }, (_, i) => i % 127));
    client.say(media(codes));
    client.say(media(codes, 'outbound'));
    client.say(media(Buffer.from(codes).reverse()));
    const call = await service.calls.first();
    expect(call.opening).toMatchObject({
      providerCallId: 'CA1',
      agentId: 'agent_1',
      line: { sampleRateHz: 8000 },
    });
    await client.until(() => client.texts.length === 2);
    expect(client.texts).toEqual([
      { event: 'media', streamSid: sid, media: { payload: codes.toString('base64') } },
      { event: 'media', streamSid: sid, media: { payload: Buffer.from(codes).reverse().toString('base64') } },
    ]);
    const samples = new Int16Array(160);
    const again = Buffer.alloc(160);
    decodeUlaw(codes, samples);
    encodeUlaw(samples, again);
    expect(again).toEqual(codes);
  });

  it('passes keys on, clears on interruption, ends with stop, and never sends a message of its own', async () => {
    const client = await open('/ws/stream');
    client.say({ event: 'connected' });
    client.say(start);
    client.say({
      event: 'dtmf',
      streamSid: sid,
      sequenceNumber: '3',
      dtmf: { track: 'inbound_track', digit: '#' },
    });
    client.say({ event: 'mark', streamSid: sid, sequenceNumber: '4', mark: { name: 'utt-1' } });
    client.say({ event: 'something_new' });
    const call = await service.calls.first();
    await service.calls.until(() => call.asked.length === 1);
    call.interrupt();
    client.say({ event: 'stop', streamSid: sid, stop: { callSid: 'CA1' } });
    expect((await client.closed).code).toBe(1000);
    await service.empty();
    expect(call.asked).toEqual(['press #', 'interrupt', 'hang up', 'disconnected closed']);
    expect(client.texts).toEqual([{ event: 'clear', streamSid: sid }]);
  });

  it.each([
    [
      'binary frames',
      (client: SocketClient) => client.socket.send(Buffer.alloc(160)),
      'this protocol has text frames only',
    ],
    [
      'media without a payload',
      (client: SocketClient) => client.say({ event: 'media', media: {} }),
      'media has no payload',
    ],
    [
      'a key that no telephone has',
      (client: SocketClient) => client.say({ event: 'dtmf', dtmf: { digit: 'seven' } }),
      'a message is malformed at "dtmf.digit"',
    ],
    ['no JSON', (client: SocketClient) => client.socket.send('{'), 'text frames hold JSON objects'],
  ])('is closed for %s', async (_what, act, reason) => {
    const client = await open('/ws/stream');
    client.say(start);
    await service.calls.first();
    act(client);
    expect(await client.closed).toEqual({ code: 1008, reason });
  });

  it('refuses formats that it does not speak', async () => {
    const client = await open('/ws/stream');
    client.say({
      ...start,
      start: { ...start.start, mediaFormat: { encoding: 'audio/x-l16', sampleRate: 16000 } },
    });
    const reason = 'only audio/x-mulaw at 8000 Hz is spoken here';
    expect(await client.closed).toEqual({ code: 1008, reason });
    expect(service.calls.calls).toEqual([]);
  });
});
