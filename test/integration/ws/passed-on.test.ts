import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CarriedElsewhere } from '#calls/live/streams/carried-elsewhere.js';
import { SocketClient } from '#test/support/socket-client.js';
import { STREAM_TOKEN } from '#test/support/stream-sample.js';
import { SIGNALWIRE, STREAM_SAMPLES } from '#test/support/stream-samples.js';
import { startAudioServer, type AudioServer } from './audio-server.js';

let near: AudioServer;
let far: AudioServer;
let givenUp: number;
beforeEach(async () => {
  givenUp = 0;
  [near, far] = await Promise.all([startAudioServer(), startAudioServer()]);
  near.calls.beforeOpen = () => {
    throw new CarriedElsewhere(new URL(far.url).host, async () => void (givenUp += 1));
  };
});
afterEach(() => Promise.all([near.server.close(), far.server.close()]));

const [twilio] = STREAM_SAMPLES;

async function begin(sample = twilio!): Promise<SocketClient> {
  // Its stream has no parameters here, so the token is in the path.
  const path = sample === SIGNALWIRE ? `/ws/stream/agent_1/${STREAM_TOKEN}` : '/ws/stream/agent_1';
  const client = await SocketClient.open(`${near.url}${path}`);
  sample.opening.forEach((message) => client.say(message));
  return client;
}

describe.each(STREAM_SAMPLES)('a socket of $carrier at a process that does not carry its call', (sample) => {
  const isBinary = sample.create().audioFrames === 'binary';
  const frameBytes = isBinary ? 640 : 160;

  it('is the call of the one that does, both ways, until it ends', async () => {
    const client = await begin(sample);
    const call = await far.calls.first();
    expect(call.opening).toMatchObject({
      agentId: 'agent_1',
      providerCallId: sample.start.providerCallId,
      right: { kind: 'token', token: STREAM_TOKEN },
    });
    const sound = Buffer.from(Array.from({ length: 3 * frameBytes }, (_, i) => (i * 7) % 127));
    for (let at = 0, chunk = 1; at < sound.length; at += frameBytes, chunk++)
      client.socket.send(sample.sound(sound.subarray(at, at + frameBytes), chunk), { binary: isBinary });
    await client.until(() => client.received.length === 3);
    const sent = client.received.map((item) => ('binary' in item ? item.binary : Buffer.from(item.text)));
    expect(Buffer.concat(sent.map((message) => sample.soundIn(message)))).toEqual(sound);
    client.say(sample.dtmf);
    await far.calls.until(() => call.asked.length === 1);
    client.socket.close();
    await far.calls.until(() => call.asked.length === 2);
    expect(call.asked).toEqual(['press 1', 'disconnected closed']);
    expect(near.calls.calls).toEqual([]);
  });
});

describe('a socket that is passed on', () => {
  it('is closed as the process with its call closes it', async () => {
    const client = await begin();
    (await far.calls.first()).hangUp();
    expect(await client.closed).toMatchObject({ code: 1000, reason: 'the call is over' });
  });

  it('is refused where the call is not there either', async () => {
    far.calls.beforeOpen = near.calls.beforeOpen;
    const client = await begin();
    expect(await client.closed).toMatchObject({ code: 1008 });
    expect(givenUp).toBe(1);
  });

  it('is refused where that process cannot be reached, and the log says what to set', async () => {
    await far.server.close();
    const client = await begin();
    expect((await client.closed).code).toBe(1013);
    expect(givenUp).toBe(1);
    expect(near.logLines).toContainEqual(
      expect.objectContaining({ msg: expect.stringMatching(/NODE_ADDRESS/) as string }),
    );
  });

  it('is broken where that process dies', async () => {
    const client = await begin();
    await far.calls.first();
    for (const socket of far.server.websocketServer.clients) socket.terminate();
    expect(await client.closed).toMatchObject({ code: 1011 });
  });
});
