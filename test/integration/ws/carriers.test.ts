import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { SocketClient } from '#test/support/socket-client.js';
import { STREAM_TOKEN } from '#test/support/stream-sample.js';
import { JAMBONZ, PLIVO, SIGNALWIRE, STREAM_SAMPLES, TELNYX, VONAGE } from '#test/support/stream-samples.js';
import { KEY, startAudioServer, type AudioServer } from './audio-server.js';

let service: AudioServer;
beforeEach(async () => {
  service = await startAudioServer();
});
afterEach(() => service.server.close());

const open = (path: string) => SocketClient.open(`${service.url}${path}`);

describe.each(STREAM_SAMPLES)('a call over $carrier', (sample) => {
  const isBinary = sample.create().audioFrames === 'binary';
  /** Its stream has no parameters here, so the token is in the path. */
  const hasPathToken = sample === SIGNALWIRE;
  const frameBytes = isBinary ? 640 : 160;

  async function begin(): Promise<SocketClient> {
    const client = await open(hasPathToken ? `/ws/stream/agent_1/${STREAM_TOKEN}` : '/ws/stream/agent_1');
    sample.opening.forEach((message) => client.say(message));
    return client;
  }

  it('opens with the token that our call control handed over, and carries sound both ways in 20 ms', async () => {
    const client = await begin();
    const call = await service.calls.first();
    expect(call.opening).toMatchObject({
      agentId: 'agent_1',
      providerCallId: sample.start.providerCallId,
      line: { sampleRateHz: sample.sampleRateHz },
      right: { kind: 'token', token: STREAM_TOKEN },
    });
    const sound = Buffer.from(Array.from({ length: 3 * frameBytes }, (_, i) => (i * 7) % 127));
    for (let at = 0, chunk = 1; at < sound.length; at += frameBytes, chunk++) {
      client.socket.send(sample.sound(sound.subarray(at, at + frameBytes), chunk), { binary: isBinary });
    }
    await client.until(() => client.received.length === 3);
    const sent = client.received.map((item) => ('binary' in item ? item.binary : Buffer.from(item.text)));
    expect(client.received.every((item) => 'binary' in item === isBinary)).toBe(true);
    expect(sent.map((message) => sample.soundIn(message).length)).toEqual(Array(3).fill(frameBytes));
    expect(Buffer.concat(sent.map((message) => sample.soundIn(message)))).toEqual(sound);
  });

  it('passes keys on, clears when the agent is interrupted, and ends', async () => {
    const client = await begin();
    const call = await service.calls.first();
    client.say(sample.dtmf);
    [...sample.others, sample.mark, { event: 'new' }].forEach((message) => client.say(message));
    await service.calls.until(() => call.asked.length === 1);
    call.interrupt();
    await client.until(() => client.texts.length === 1);
    if (sample.stop) client.say(sample.stop);
    else client.socket.close();
    await client.closed;
    await service.empty();
    const end = sample.stop ? ['hang up', 'disconnected closed'] : ['disconnected closed'];
    expect(call.asked).toEqual(['press 1', 'interrupt', ...end]);
    expect(client.texts).toEqual([sample.wantsClear]);
  });

  it('learns from marks how far the carrier has played', async () => {
    const client = await begin();
    const { line } = (await service.calls.first()).opening;
    const frame = new Int16Array(sample.sampleRateHz / 50);
    for (let i = 0; i < 5; i++) {
      if (i > 0) await service.clock.advance(20);
      line.send(frame, 0);
    }
    await client.until(() => client.received.length === 6);
    const asked = client.received.at(-1) as { text: string };
    const name = 'played-1';
    expect(JSON.parse(asked.text)).toEqual(
      JSON.parse(JSON.stringify(sample.wantsMark).replace('utt-1', name)),
    );
    await service.clock.advance(120);
    client.socket.send(JSON.stringify(sample.mark).replace('utt-1', name));
    client.say(sample.dtmf);
    const call = await service.calls.first();
    await service.calls.until(() => call.asked.length === 1);
    expect(line.lagMs).toBe(120);
  });
});

describe.each([PLIVO, SIGNALWIRE])('a call over $carrier, whose token is in the address', (sample) => {
  it('waits for a first message that takes its time', async () => {
    const client = await open(`/ws/stream/agent_1/${STREAM_TOKEN}`);
    await service.clock.advance(3_000);
    expect(client.received).toEqual([]);
    sample.opening.forEach((message) => client.say(message));
    const call = await service.calls.first();
    expect(call.opening).toMatchObject({ providerCallId: sample.start.providerCallId });
  });
});

describe('a carrier that may not', () => {
  it.each([TELNYX, PLIVO, VONAGE, JAMBONZ])('open a call is closed with 1008: $carrier', async (sample) => {
    const opening = JSON.stringify(sample.opening.at(-1));
    for (const token of ['', 'wrong']) {
      const client = await open('/ws/stream/agent_1');
      client.socket.send(opening.replace(STREAM_TOKEN, token));
      expect(await client.closed).toEqual({ code: 1008, reason: 'missing or invalid credentials' });
    }
    expect(service.calls.calls).toEqual([]);
  });

  it('wait for ever after its greeting is closed after five seconds, greet as often as it likes', async () => {
    const client = await SocketClient.open(`${service.url}/ws/stream`, { headers: { 'x-api-key': KEY } });
    for (let i = 0; i < 5; i++) {
      client.say(TELNYX.opening[0]);
      client.socket.ping();
      await new Promise((resolve) => client.socket.once('pong', resolve));
      await service.clock.advance(1_000);
    }
    // Its credentials are good.
    expect(await client.closed).toEqual({ code: 1008, reason: 'the stream did not begin' });
    expect(service.calls.calls).toEqual([]);
  });
});

describe('the sub-protocol', () => {
  it.each([
    [['audio.drachtio.org'], 'audio.drachtio.org'],
    [['audio.jambonz.org'], 'audio.jambonz.org'],
    [['something.else', 'audio.jambonz.org'], 'audio.jambonz.org'],
    [['audio.jambonz.org', 'bearer', KEY], 'bearer'],
  ])('of %j is %j', async (offered, agreed) => {
    const client = await SocketClient.open(`${service.url}/ws/stream`, {}, offered);
    expect(client.socket.protocol).toBe(agreed);
    client.socket.close();
    await client.closed;
  });
});
