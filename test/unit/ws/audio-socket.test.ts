import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import type { LiveCall } from '#calls/live/sessions/live-call.js';
import { AudioSocket } from '#ws/audio-socket.js';
import { IncomingMessages, OutgoingMessages } from '#ws/messages/message-batches.js';
import { loadResampling } from '#media/samples/resampler.js';
import { createKeepalive } from '#ws/limits/keepalive.js';
import { FakeClock, settle } from '#test/support/fake-clock.js';
import { createMemoryLog } from '#test/support/memory-log.js';

/** A socket whose peer is the test. */
class PeerSocket extends EventEmitter {
  readonly OPEN = 1;
  readonly readyState = 1;
  readonly bufferedAmount = 0;
  pause() {}
  resume() {}
  send() {}
  ping() {}

  says(message: Readonly<Record<string, unknown>>): void {
    this.emit('message', Buffer.from(JSON.stringify(message)), false);
  }
}

/** A call that records what it receives. */
function callNoting(told: string[]): LiveCall {
  const ignore = () => {};
  return {
    callId: 'call_1',
    hear: ignore,
    press: (digit) => void told.push(`press ${digit}`),
    type: ignore,
    interrupt: ignore,
    hangUp: ignore,
    disconnected: (cause) => void told.push(cause),
  };
}

it('tells its call what the peer said last before it tells that the peer is gone', async () => {
  const told: string[] = [];
  const clock = new FakeClock();
  const { log } = createMemoryLog();
  const outgoing = new OutgoingMessages();
  const socket = new PeerSocket();
  new AudioSocket(
    socket as unknown as WebSocket,
    {
      requested: {
        agentId: null,
        format: { encoding: 'mulaw', sampleRateHz: 8000, events: false },
        caller: { number: '', variables: {} },
        isPlain: false,
        isCarrier: true,
      },
      right: null,
      connection: new EventEmitter() as unknown as Socket,
      check: () => Promise.resolve({ kind: 'token', token: 'st_1' }),
      openAt: () => Promise.reject(new Error('there is one process')),
    },
    {
      calls: { open: () => Promise.resolve(callNoting(told)) },
      clock,
      log,
      resampling: await loadResampling(),
      keepalive: createKeepalive(clock),
      incoming: new IncomingMessages(outgoing),
      outgoing,
    },
  ).begin();
  socket.says({ event: 'start', start: { streamSid: 'MZ1', customParameters: { token: 'st_1' } } });
  await settle();
  await settle();

  socket.says({ event: 'dtmf', dtmf: { digit: '5' } });
  socket.emit('close');

  expect(told).toEqual(['press 5', 'closed']);
});
