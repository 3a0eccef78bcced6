import type { WebSocket } from 'ws';
import { createMediaStream } from '#telephony/carriers/twilio/media-stream.js';
import { decodeUlaw } from '#media/samples/g711.js';
import type { OutgoingMessages } from '#ws/messages/message-batches.js';
import { SocketLine } from '#ws/messages/socket-line.js';
import { lineContract, type LineRig } from '#test/contracts/line.js';
import { FakeClock } from '#test/support/fake-clock.js';
import { createScriptedLine, type ScriptedLine } from '#test/support/scripted-line.js';

lineContract('of a socket', openSocketLine);
lineContract('of a script', () => rigOf(createScriptedLine()));
lineContract('of a script, with a buffer', () => rigOf(createScriptedLine(8000, { pieceMs: 200 })));

/** A carrier's line with a playout buffer; sent messages are decoded as its peer would. */
function openSocketLine(): LineRig {
  const sound: number[] = [];
  const protocol = createMediaStream();
  const start = { event: 'start', streamSid: 'MZ1', start: { streamSid: 'MZ1' } };
  protocol.decode(Buffer.from(JSON.stringify(start)), false);
  const outgoing = {
    add(_socket: WebSocket, message: string | Buffer) {
      const { event, media } = JSON.parse(message.toString()) as {
        event: string;
        media?: { payload: string };
      };
      if (event !== 'media') return;
      const codes = Buffer.from(media!.payload, 'base64');
      const samples = new Int16Array(codes.length);
      decodeUlaw(codes, samples);
      sound.push(...samples);
    },
  };
  const socket = { readyState: 1, OPEN: 1, bufferedAmount: 0 };
  const line = new SocketLine(socket as unknown as WebSocket, protocol, {
    clock: new FakeClock(),
    outgoing: outgoing as unknown as OutgoingMessages,
    onStuck: () => {},
  });
  return { line, sentSamples: () => sound.length, lastLoudness: () => Math.abs(sound.at(-1) ?? 0) };
}

function rigOf(line: ScriptedLine): LineRig {
  return {
    line,
    sentSamples: () => line.frames.reduce((total, frame) => total + frame.length, 0),
    lastLoudness: () => Math.abs(line.frames.at(-1)?.at(-1) ?? 0),
  };
}
