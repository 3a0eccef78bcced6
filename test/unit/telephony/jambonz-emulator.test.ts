import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { WebSocketServer, type WebSocket } from 'ws';
import { loadResampling } from '#media/samples/resampler.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { ListenStream } from '#test/support/emulators/jambonz/listen-stream.js';
import { ListenPlayout } from '#test/support/emulators/jambonz/playout.js';
import { Person } from '#test/support/emulators/person.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

const SAMPLES_OF_20_MS = 320;
const sound = (lengthMs: number) => new Int16Array((lengthMs / 20) * SAMPLES_OF_20_MS).fill(1_000);

function playout() {
  const told: string[] = [];
  return { told, playout: new ListenPlayout((name, event) => void told.push(`${name} ${event}`)) };
}

it('begins to play when 80 ms are there, and goes on to the last sample', () => {
  const { told, playout: line } = playout();
  line.add(sound(60));
  expect(line.next()).toBeNull();
  line.add(sound(30));
  line.mark('end');
  const frames = Array.from({ length: 5 }, () => line.next());
  expect(frames.map((frame) => frame!.filter((sample) => sample !== 0).length)).toEqual([
    320, 320, 320, 320, 160,
  ]);
  expect(told).toEqual(['end playout']);
  expect(line.next()).toBeNull();
});

it('says of marks whether their sound was played or cleared, and keeps thirty', () => {
  const { told, playout: line } = playout();
  line.mark('nothing before it');
  line.add(sound(100));
  for (let mark = 1; mark <= 31; mark++) line.mark(`m${mark}`);
  line.clear();
  expect(told).toHaveLength(31);
  expect(told.slice(0, 2)).toEqual(['nothing before it playout', 'm1 cleared']);
  expect(line.next()).toBeNull();
});

/** A stream to a service that agrees to a sub-protocol, or to none. */
async function openStream(agrees: boolean) {
  const service = new WebSocketServer({
    host: '127.0.0.1',
    port: 0,
    handleProtocols: (offered) => (agrees ? [...offered][0]! : false),
  });
  await once(service, 'listening');
  const opened = once(service, 'connection') as Promise<[WebSocket]>;
  const clock = new FakeClock();
  const stream = new ListenStream(
    {
      url: `ws://127.0.0.1:${(service.address() as AddressInfo).port}`,
      metadata: { callSid: 'b5e39996', token: 'st_1' },
    },
    {
      pacingTimer: createPacingTimer({ clock, log: createMemoryLog().log }),
      person: new Person(clock, {}),
      resampling: await loadResampling(),
    },
  );
  onTestFinished(() => {
    stream.terminate();
    service.close();
    expect(clock.armed).toBe(0);
  });
  return { stream, clock, opened };
}

it('streams to nobody who does not agree to its sub-protocol', async () => {
  const { stream } = await openStream(false);
  expect(await stream.ended).toMatchObject({ by: 'error' });
});

it('begins with the call and our metadata, goes on with binary sound, and closes without a word', async () => {
  const { stream, clock, opened } = await openStream(true);
  const [socket] = await opened;
  const messages: [Buffer, boolean][] = [];
  socket.on('message', (data: Buffer, isBinary) => messages.push([data, isBinary]));
  await stream.settled;
  await clock.advance(20);
  stream.press('5');
  stream.stop();
  await once(socket, 'close');
  await settle();

  const [[first], [frame, isBinary], [key]] = messages as [[Buffer], [Buffer, boolean], [Buffer]];
  expect(JSON.parse(first.toString())).toMatchObject({ sampleRate: 16_000, mixType: 'mono', token: 'st_1' });
  expect({ isBinary, length: frame.length }).toEqual({ isBinary: true, length: SAMPLES_OF_20_MS * 2 });
  expect(JSON.parse(key.toString())).toMatchObject({ event: 'dtmf', dtmf: '5' });
  expect(messages).toHaveLength(3);
});

it('takes a message that is not of the protocol for the end', async () => {
  const { stream, opened } = await openStream(true);
  const [socket] = await opened;
  socket.send('{"type":"playAudio"}');
  expect(await stream.ended).toMatchObject({ by: 'error' });
});
