import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import WebSocket from 'ws';
import { quantile } from './figures.js';

const FRAME_MS = 20;
const FRAME_BYTES = 160;
/** Sockets are opened so many at a time. */
const OPENING = 50;
/** From the folder of the project, where benchmarks are run. */
const PHRASES = join(process.cwd(), 'test/unit/media/fixtures/two-phrases.ulaw');
const ULAW_SILENCE = 0xff;
const SILENT_PAYLOAD = Buffer.alloc(FRAME_BYTES, ULAW_SILENCE).toString('base64');
const PAYLOAD = '"payload":"';
/** A longer gap is between two turns. */
const TURN_MS = 400;
/** Where messages of telephone streams say what they are: after `{"event":"`. */
const EVENT_AT = 10;

/** What the generator is told: to have so many callers, or to report. */
export type Order = { callers: number } | 'report';

/** What arrived since the generator was last asked. */
export interface Traffic {
  /** Frames of 20 ms that callers sent. */
  framesSent: number;
  /** The sound that came back, in frames of 20 ms. */
  framesReceived: number;
  /**
   * How far the gap between two messages of a stream was from what the first of them plays, in the midst of sound.
   * Where an agent begins to speak its first sound leaves at once: that is meant. The p99 of a usual second (the median
   * of all) and of the worst.
   */
  jitterP99Ms: number;
  worstJitterP99Ms: number;
}

/** What is noted of all streams. */
interface Notes {
  framesSent: number;
  framesReceived: number;
  /** Second by second. */
  jitterMs: Map<number, number[]>;
}

/** Speaks on telephone streams, as many as it is told, each in its own phase, until its parent lets go of it. */
export function generate(url: string): void {
  const sockets: WebSocket[] = [];
  const notes: Notes = { framesSent: 0, framesReceived: 0, jitterMs: new Map() };
  const frames = talkFrames();
  process.on('message', (order: Order) => {
    if (order === 'report') process.send!(traffic(notes));
    else void callIn(url, sockets, order.callers, notes).then(() => process.send!('talking'));
  });
  speak(sockets, frames, notes);
  process.send!('ready');
}

/** What was noted, which is then forgotten. */
function traffic(notes: Notes): Traffic {
  const p99Ms = [...notes.jitterMs.values()].map((second) => quantile(second, 0.99));
  const { framesSent, framesReceived } = notes;
  notes.jitterMs.clear();
  notes.framesSent = notes.framesReceived = 0;
  return {
    framesSent,
    framesReceived,
    jitterP99Ms: quantile(p99Ms, 0.5),
    worstJitterP99Ms: quantile(p99Ms, 1),
  };
}

function note({ jitterMs }: Notes, nowMs: number, differenceMs: number): void {
  const second = Math.floor(nowMs / 1_000);
  const gaps = jitterMs.get(second);
  if (gaps) gaps.push(differenceMs);
  else jitterMs.set(second, [differenceMs]);
}

async function callIn(url: string, sockets: WebSocket[], callers: number, notes: Notes): Promise<void> {
  while (sockets.length < callers) {
    const some = Array.from({ length: Math.min(OPENING, callers - sockets.length) }, () =>
      listen(url, notes),
    );
    await Promise.all(some.map((socket) => once(socket, 'open')));
    some.forEach((socket, i) => introduce(socket, sockets.length + i));
    sockets.push(...some);
  }
}

function listen(url: string, notes: Notes): WebSocket {
  const socket = new WebSocket(url, { perMessageDeflate: false });
  let lastMs = 0;
  let lastFrames = 0;
  let inARow = 0;
  socket.on('message', (message: Buffer) => {
    // Marks come back when they were played; here everything is played at once.
    if (message.indexOf('mark') === EVENT_AT) return socket.send(message.toString());
    if (message.indexOf('media') !== EVENT_AT) return;
    const nowMs = performance.now();
    const differenceMs = Math.abs(nowMs - lastMs - lastFrames * FRAME_MS);
    inARow = differenceMs < TURN_MS && !message.includes(SILENT_PAYLOAD) ? inARow + 1 : 0;
    if (inARow > 1) note(notes, nowMs, differenceMs);
    lastFrames = framesIn(message);
    notes.framesReceived += lastFrames;
    lastMs = nowMs;
  });
  return socket;
}

/** How much sound a message carries. */
function framesIn(message: Buffer): number {
  const from = message.indexOf(PAYLOAD) + PAYLOAD.length;
  return Math.floor(((message.indexOf('"', from) - from) * 3) / 4 / FRAME_BYTES);
}

/** What a carrier says first. */
export function introduce(socket: WebSocket, number: number): void {
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

/** A frame as bytes, and the message that carries it. */
export interface Frame {
  bytes: Buffer;
  message: string;
}

/** Two phrases of a human voice in six seconds. */
export function phraseFrames(): Frame[] {
  return framesOf(readFileSync(PHRASES));
}

/** The two phrases, and as long again nothing. */
function talkFrames(): Frame[] {
  const phrases = readFileSync(PHRASES);
  return framesOf(Buffer.concat([phrases, Buffer.alloc(phrases.length, ULAW_SILENCE)]));
}

function framesOf(talk: Buffer): Frame[] {
  return Array.from({ length: Math.floor(talk.length / FRAME_BYTES) }, (_, chunk) => {
    const bytes = talk.subarray(chunk * FRAME_BYTES, (chunk + 1) * FRAME_BYTES);
    const message = JSON.stringify({
      event: 'media',
      sequenceNumber: String(chunk + 2),
      media: {
        track: 'inbound',
        chunk: String(chunk + 1),
        timestamp: String(chunk * FRAME_MS),
        payload: bytes.toString('base64'),
      },
      streamSid: 'MZ00000000000000000000000000000000',
    });
    return { bytes, message };
  });
}

/**
 * Every millisecond the sockets whose turn has come send a frame: the load is even, as that of many callers is. They
 * are everywhere in the talk at any time.
 */
function speak(sockets: readonly WebSocket[], frames: readonly Frame[], notes: Notes): void {
  let nextMs = performance.now();
  let at = 0;
  setInterval(() => {
    const nowMs = performance.now();
    for (; sockets.length > 0 && nextMs <= nowMs; nextMs += FRAME_MS / sockets.length) {
      const caller = at % sockets.length;
      const round = Math.floor(at / sockets.length);
      sockets[caller]!.send(frames[(round + caller * 7) % frames.length]!.message);
      at += 1;
      notes.framesSent += 1;
    }
    if (sockets.length === 0) nextMs = nowMs;
  }, 1);
}
