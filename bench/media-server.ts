import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import { WebSocketServer } from 'ws';
import type { LiveCall, LiveCalls, StreamOpening } from '../src/calls/live-call.js';
import { systemClock } from '../src/kernel/clock.js';
import { createIds } from '../src/kernel/ids.js';
import { createLog } from '../src/kernel/log.js';
import { frameSamples } from '../src/media/audio.js';
import { createDiskWriter } from '../src/media/disk-writer.js';
import { createEndpointDetector } from '../src/media/endpoints.js';
import { createFramer } from '../src/media/framer.js';
import { createRecorder, type Recorder } from '../src/media/recording.js';
import { loadVoiceActivity, type VoiceActivity } from '../src/media/voice-activity.js';
import { registerAudioSockets } from '../src/ws/register-audio-sockets.js';
import { webSocketOptions } from '../src/ws/websocket-options.js';

/** What a server has used since its start. */
export interface Usage {
  cpuMicros: number;
  rssBytes: number;
}

/** The ceiling: the library alone, every message sent back as it came. */
export function serveBareEcho(): void {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer, isBinary) => socket.send(data, { binary: isBinary }));
  });
  server.on('listening', () => announce((server.address() as { port: number }).port));
}

/**
 * The house's media path on the thread that carries calls: real sockets, decoding, voice activity, recording, encoding.
 * Rates are changed, and speech is understood and made, on other threads.
 */
export async function serveCalls(): Promise<void> {
  const clock = systemClock;
  const log = createLog('ERROR');
  const server = fastify();
  await server.register(websocket, webSocketOptions({ clock, log }));
  registerAudioSockets(server, {
    calls: await createMediaCalls(),
    clock,
    ids: createIds(clock),
    log,
    authenticator: { authenticateAny: () => Promise.reject(new Error('tokens only')) },
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  announce((server.server.address() as { port: number }).port);
}

async function createMediaCalls(): Promise<LiveCalls> {
  const voiceActivity = await loadVoiceActivity();
  const disk = createDiskWriter();
  const folder = mkdtempSync(join(tmpdir(), 'bench-media-'));
  let calls = 0;
  return {
    async open(opening) {
      const path = join(folder, `${calls++}.wav`);
      const recorder = createRecorder({ path, sampleRateHz: opening.line.sampleRateHz }, { disk });
      return createMediaCall(opening, { voiceActivity, recorder });
    },
  };
}

/** A call that hears everything and answers each frame with one of its own. */
function createMediaCall(
  { line }: StreamOpening,
  parts: { voiceActivity: VoiceActivity; recorder: Recorder },
): LiveCall {
  const endpoints = createEndpointDetector(parts.voiceActivity.open(8000), { silenceWindowMs: 600 });
  const voice = Int16Array.from({ length: frameSamples(8000) }, (_, i) => 8000 * Math.sin(i / 7));
  const framer = createFramer(frameSamples(8000));
  const take = (frame: Int16Array) => {
    endpoints.push(frame);
    line.sendFrame(voice);
    parts.recorder.write(frame, voice);
  };
  const ignore = () => {};
  return {
    callId: 'call_bench',
    hear: (samples) => framer.push(samples, take),
    press: ignore,
    type: ignore,
    interrupt: ignore,
    hangUp: ignore,
    disconnected() {
      endpoints.free();
      void parts.recorder.close();
    },
  };
}

function announce(port: number): void {
  process.on('message', () => {
    const now = process.cpuUsage();
    const usage: Usage = {
      cpuMicros: now.user + now.system,
      rssBytes: process.memoryUsage.rss(),
    };
    process.send!(usage);
  });
  process.send!({ url: `ws://127.0.0.1:${port}/ws/stream`, rssBytes: process.memoryUsage.rss() });
}
