import { once } from 'node:events';
import WebSocket from 'ws';

const FRAME_MS = 20;
/** Sockets are opened so many at a time. */
const OPENING = 50;

/** What arrived since the generator was last asked. */
export interface Traffic {
  framesReceived: number;
  /** How far the gap between two frames of a stream was from 20 ms. */
  jitterP99Ms: number;
}

/** Speaks on `count` telephone streams at once, each in its own phase, until it is killed. */
export async function generate(url: string, count: number): Promise<void> {
  const sockets: WebSocket[] = [];
  const gapsMs: number[] = [];
  for (let at = 0; at < count; at += OPENING) {
    const some = Array.from({ length: Math.min(OPENING, count - at) }, () => listen(url, gapsMs));
    await Promise.all(some.map((socket) => once(socket, 'open')));
    some.forEach((socket, i) => introduce(socket, at + i));
    sockets.push(...some);
  }
  const frame = JSON.stringify({
    event: 'media',
    sequenceNumber: '2',
    media: { track: 'inbound', chunk: '1', timestamp: '5', payload: speech().toString('base64') },
    streamSid: 'MZ00000000000000000000000000000000',
  });
  speak(sockets, frame);
  process.on('message', () => {
    const sorted = gapsMs
      .splice(0)
      .map((gapMs) => Math.abs(gapMs - FRAME_MS))
      .sort((a, b) => a - b);
    const traffic: Traffic = {
      framesReceived: sorted.length,
      jitterP99Ms: sorted[Math.floor(sorted.length * 0.99)] ?? Infinity,
    };
    process.send!(traffic);
  });
  process.send!('ready');
}

function listen(url: string, gapsMs: number[]): WebSocket {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let lastMs = 0;
  socket.on('message', () => {
    const nowMs = performance.now();
    if (lastMs > 0) gapsMs.push(nowMs - lastMs);
    lastMs = nowMs;
  });
  return socket;
}

function introduce(socket: WebSocket, number: number): void {
  const streamSid = `MZ${String(number).padStart(32, '0')}`;
  socket.send(JSON.stringify({ event: 'connected', protocol: 'Call', version: '1.0.0' }));
  socket.send(
    JSON.stringify({
      event: 'start',
      streamSid,
      start: { streamSid, callSid: `CA${number}`, customParameters: { token: `st_${number}` } },
    }),
  );
}

/** Every millisecond the sockets whose turn has come send a frame: the load is even, as that of many callers is. */
function speak(sockets: WebSocket[], frame: string): void {
  const startMs = performance.now();
  let sent = 0;
  setInterval(() => {
    const due = Math.floor(((performance.now() - startMs) / FRAME_MS) * sockets.length);
    for (; sent < due; sent++) sockets[sent % sockets.length]!.send(frame);
  }, 1);
}

/** 20 ms that a voice detector has to think about. */
function speech(): Buffer {
  return Buffer.from(Array.from({ length: 160 }, (_, i) => 0x80 + ((i * 37) % 60)));
}
