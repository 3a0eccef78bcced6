import { expect, it } from 'vitest';
import type { WebSocket } from 'ws';
import { createMediaStream } from '#telephony/carriers/twilio/media-stream.js';
import type { OutgoingMessages } from '#ws/messages/message-batches.js';
import { SocketLine } from '#ws/messages/socket-line.js';
import { FakeClock } from '#test/support/fake-clock.js';

const PIECE = new Int16Array(800);
const FULL_BYTES = 100_000;

function open() {
  const clock = new FakeClock();
  const socket = { readyState: 1, OPEN: 1, bufferedAmount: 0 };
  const seen = { stuck: 0 };
  const line = new SocketLine(socket as unknown as WebSocket, createMediaStream(), {
    clock,
    outgoing: { add: () => {} } as unknown as OutgoingMessages,
    onStuck: () => void (seen.stuck += 1),
  });
  return { clock, socket, line, seen };
}

it('loses a peer that five seconds of sound could not be sent to', () => {
  const { socket, line, seen } = open();
  socket.bufferedAmount = FULL_BYTES;
  for (let piece = 0; piece < 49; piece += 1) line.send(PIECE, 0);
  expect(seen.stuck).toBe(0);
  for (let piece = 0; piece < 9; piece += 1) line.send(PIECE, 0);
  expect(seen.stuck).toBe(1);
  expect(line.droppedFrames).toBe(58 * 5);
});

it('keeps a peer that was slow for a moment twice, with nothing to be sent to it in between', async () => {
  const { clock, socket, line, seen } = open();
  socket.bufferedAmount = FULL_BYTES;
  line.send(PIECE, 0);
  socket.bufferedAmount = 0;
  // The agent listens.
  await clock.advance(30_000);
  socket.bufferedAmount = FULL_BYTES;
  line.send(PIECE, 0);
  expect(seen.stuck).toBe(0);
});
