import { afterEach, beforeEach, expect, it } from 'vitest';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import {
  createStreamService,
  type GatewayConnection,
  type StreamService,
} from '#test/support/carrier-host.js';
import { Person } from '#test/support/emulators/person.js';
import { PlivoGateway } from '#test/support/emulators/plivo/media-gateway.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const SOUND = Buffer.alloc(320, 0x20).toString('base64');

let clock: FakeClock;
let service: StreamService;
let gateway: PlivoGateway;
let line: GatewayConnection;

beforeEach(async () => {
  clock = new FakeClock();
  service = await createStreamService();
  const connecting = service.connection();
  gateway = new PlivoGateway(
    { url: service.url, parameters: { callid: 'call1', lang: 'en' }, callId: 'a-call', accountId: 'MA00' },
    {
      clock,
      pacingTimer: createPacingTimer({ clock, log: createMemoryLog().log }),
      person: new Person(clock, {}),
    },
  );
  line = await connecting;
  await gateway.settled;
});
afterEach(async () => {
  gateway.terminate();
  await service.close();
});

const play = () =>
  line.send({
    event: 'playAudio',
    media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload: SOUND },
  });

it('begins with start, and goes on with frames of 20 ms', async () => {
  await line.message('start');
  await clock.advance(40);
  const second = await line.message('media', ({ media: sound }) => (sound as { chunk: number }).chunk === 2);
  expect(line.messages[0]).toMatchObject({
    event: 'start',
    sequenceNumber: 0,
    extra_headers: 'callid=call1;lang=en',
    start: { callId: 'a-call', streamId: gateway.streamId, mediaFormat: { encoding: 'audio/x-mulaw' } },
  });
  expect(second).toMatchObject({ streamId: gateway.streamId, media: { track: 'inbound' } });
});

it('says when a checkpoint was played, and nothing of those that a clearing overtakes', async () => {
  const { streamId } = gateway;
  play();
  line.send({ event: 'checkpoint', streamId, name: 'first' });
  await settled(1);
  await clock.advance(60);
  await line.message('playedStream');
  play();
  line.send({ event: 'checkpoint', streamId, name: 'second' });
  line.send({ event: 'clearAudio', streamId });
  await line.message('clearedAudio');
  await clock.advance(100);
  line.send({ event: 'checkpoint', streamId, name: 'third' });
  await line.message('playedStream', ({ name }) => name === 'third');
  const played = line.messages.filter(({ event }) => event === 'playedStream').map(({ name }) => name);
  expect(played).toEqual(['first', 'third']);
});

it.each([
  { event: 'mark', streamId: 'any', mark: { name: 'first' } },
  { event: 'clearAudio', streamId: 'another' },
  { event: 'playAudio', media: { contentType: 'audio/x-mulaw;rate=8000', sampleRate: 8000, payload: SOUND } },
])('tears a stream down for what is not of the protocol: %o', async (message) => {
  line.send(message);
  expect(await gateway.ended).toMatchObject({ by: 'error' });
});

/** Resolves when the service's messages besides sound have come. */
async function settled(frames: number): Promise<void> {
  await expect.poll(() => gateway.serviceFrames.length).toBe(frames);
}
