import { join } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import websocket from '@fastify/websocket';
import { fastify } from 'fastify';
import { WebSocketServer } from 'ws';
import type { LiveCalls } from '#calls/live/sessions/live-call.js';
import { systemClock } from '#kernel/time/clock.js';
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { createDiskWriter } from '#media/recording/disk-writer.js';
import { createRecorder } from '#media/recording/recording.js';
import { loadVoiceActivity } from '#media/detecting/voice-activity.js';
import { loadResampling } from '#media/samples/resampler.js';
import { createPacingTimer } from '#media/pacing/pacing-timer.js';
import { registerAudioSockets } from '#ws/register-audio-sockets.js';
import { webSocketOptions } from '#ws/limits/websocket-options.js';
import { dataFolder } from './processes.js';
import { createTalks, type FreeAnswer } from './talking.js';

/** What a server has used since its start. */
export interface Usage {
  cpuMicros: number;
  rssBytes: number;
}

function usage(): Usage {
  const { user, system } = process.cpuUsage();
  return { cpuMicros: user + system, rssBytes: process.memoryUsage.rss() };
}

/** What is in use when all garbage is gone: the machine's count holds that, too, and it grows with the load. */
function liveBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Where a server is to be reached. */
export interface Address {
  url: string;
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
 * The service's media path on the thread that carries calls: real sockets and real conversations, with decoding, voice
 * activity, turns, pacing, recording and encoding. Speech is understood and made on other threads, so here it is free.
 */
export async function serveCalls(answer: FreeAnswer): Promise<void> {
  const clock = systemClock;
  const log = createLog('ERROR');
  const server = fastify();
  await server.register(websocket, webSocketOptions({ clock, log }));
  registerAudioSockets(server, {
    resampling: await loadResampling(),
    calls: await createMediaCalls(answer),
    clock,
    ids: createIds(clock),
    log,
    openSocket: () => Promise.reject(new Error('there is one process')),
    authenticator: { authenticateAny: () => Promise.reject(new Error('tokens only')) },
    countRefusedCredentials: async () => {},
    sessionOf: async () => null,
  });
  await server.listen({ port: 0, host: '127.0.0.1' });
  announce((server.server.address() as { port: number }).port);
}

async function createMediaCalls(answer: FreeAnswer): Promise<LiveCalls> {
  const clock = systemClock;
  const log = createLog('ERROR');
  const voiceActivity = await loadVoiceActivity();
  const pacingTimer = createPacingTimer({ clock, log });
  const disk = createDiskWriter();
  const folder = dataFolder();
  let calls = 0;
  return createTalks({
    answer,
    partsOf({ line: { sampleRateHz } }) {
      const recorder = createRecorder({ path: join(folder, `${calls++}.wav`), sampleRateHz }, { disk });
      return { clock, log, voiceActivity, pacingTimer, recorder };
    },
  });
}

/** Says where a server is, and from then on what it has used whenever it is asked. */
export function announce(port: number): void {
  process.on('message', (order) => process.send!(order === 'live' ? liveBytes() : usage()));
  process.send!({ url: `ws://127.0.0.1:${port}/ws/stream` } satisfies Address);
}
