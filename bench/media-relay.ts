import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import WebSocket, { WebSocketServer } from 'ws';
import { announce } from './media-server.js';

/** The fake answers every twelve seconds, as callers speak, for as long as the service's agent does between them. */
const FRAMES_BETWEEN_ANSWERS = 400;
const ANSWER_MS = 4_000;
/** As the service sends it: an answer in pieces of 200 ms. */
const PIECE_MS = 200;
const PIECE = Buffer.alloc(PIECE_MS * 8, 0x55).toString('base64');
const DELTA = JSON.stringify({ type: 'response.output_audio.delta', delta: PIECE });

/** What telephone streams say, as far as a relay looks. */
type FromTelephone =
  | { event: 'start'; streamSid: string }
  | { event: 'media'; media: { payload: string } }
  | { event: 'connected' };

/**
 * The least that a service between a telephone and a speech-to-speech model does: for each call one more socket, over
 * which every frame is handed on as it came, base64 and all. It decodes, detects, paces and records nothing.
 * @param speechUrl where the model is
 */
export async function serveRelay(speechUrl: string): Promise<void> {
  const server = fastify();
  await server.register(websocket, { options: { perMessageDeflate: false } });
  server.get('/ws/stream', { websocket: true }, (telephone) => relay(telephone, speechUrl));
  await server.listen({ port: 0, host: '127.0.0.1' });
  announce((server.server.address() as { port: number }).port);
}

function relay(telephone: WebSocket, speechUrl: string): void {
  const speech = new WebSocket(speechUrl, { perMessageDeflate: false });
  let streamSid = '';
  telephone.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as FromTelephone;
    if (message.event === 'start') streamSid = message.streamSid;
    if (message.event !== 'media' || speech.readyState !== WebSocket.OPEN) return;
    speech.send(JSON.stringify({ type: 'input_audio_buffer.append', audio: message.media.payload }));
  });
  speech.on('message', (data: Buffer) => {
    const message = JSON.parse(data.toString()) as { type: string; delta: string };
    if (message.type !== 'response.output_audio.delta') return;
    telephone.send(JSON.stringify({ event: 'media', streamSid, media: { payload: message.delta } }));
  });
  telephone.on('close', () => speech.close());
  speech.on('close', () => telephone.close());
}

/** A speech-to-speech model that understands nothing and answers now and then, at the pace of sound. */
export function serveSpeech(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  let connections = 0;
  server.on('connection', (socket) => {
    connections += 1;
    // Calls are everywhere in their talk at any time.
    let frames = (connections * 59) % FRAMES_BETWEEN_ANSWERS;
    let left = 0;
    socket.on('message', () => {
      frames += 1;
      if (left > 0 || frames < FRAMES_BETWEEN_ANSWERS) return;
      left = ANSWER_MS / PIECE_MS;
      const answering = setInterval(() => {
        socket.send(DELTA);
        left -= 1;
        if (left > 0) return;
        clearInterval(answering);
        frames = 0;
      }, PIECE_MS);
    });
    socket.on('error', () => {});
  });
  server.on('listening', () => announce((server.address() as { port: number }).port));
}
