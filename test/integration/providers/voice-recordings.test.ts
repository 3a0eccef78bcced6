import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { WebSocketServer } from 'ws';
import { describe, expect, it, onTestFinished } from 'vitest';
import { cartesiaTts } from '#providers/cartesia/tts.js';
import { deepgramTts } from '#providers/deepgram/tts.js';
import { elevenLabsTts } from '#providers/elevenlabs/tts.js';
import type { TtsFactory } from '#providers/provider-definition.js';
import type { VoicePart, VoiceSentence } from '#providers/voices/voice-wire.js';
import { systemClock } from '#kernel/time/clock.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { RECORDINGS_FOLDER } from '#test/support/model-recordings.js';
import { openLoopbackServer } from '#test/support/loopback-server.js';

/** A frame of a recording, as a line of its file holds it. */
interface Frame {
  dir: 'client' | 'server';
  json?: Record<string, unknown>;
  binary?: number;
}

const SENTENCE: VoiceSentence = {
  text: 'Good morning, this is Ann.',
  voice: 'v1',
  model: null,
  language: 'en-US',
  sampleRateHz: 8000,
  settings: {},
};

const contextIn = (json: Record<string, unknown> = {}) => json['context_id'] ?? json['contextId'];

/**
 * The frames that the vendor sent after each sentence was asked for, up to the next one.
 * @param asks whether a message of the client has a sentence spoken
 */
function answersIn(file: string, asks: (json: Record<string, unknown>) => boolean): Frame[][] {
  const answers: Frame[][] = [];
  const seen = new Set<unknown>();
  for (const line of readFileSync(join(RECORDINGS_FOLDER ?? '', file), 'utf8')
    .trim()
    .split('\n')) {
    const frame = JSON.parse(line) as Frame;
    const { json } = frame;
    const context = contextIn(json);
    if (frame.dir === 'client' && json && asks(json) && (context === undefined || !seen.has(context))) {
      seen.add(context);
      answers.push([]);
    } else if (frame.dir === 'server' && (json ?? frame.binary) !== undefined) answers.at(-1)?.push(frame);
  }
  return answers;
}

/** A vendor that answers the n-th sentence as it did when it was recorded, the contexts being ours. */
async function replay(
  answers: readonly Frame[][],
  asks: (json: Record<string, unknown>) => boolean,
): Promise<string> {
  const { url, server } = await openServer();
  const recorded: unknown[] = [];
  const ours: unknown[] = [];
  for (const { json } of answers.flat())
    if (json && contextIn(json) !== undefined && !recorded.includes(contextIn(json)))
      recorded.push(contextIn(json));
  server.on('connection', (socket) => {
    socket.on('message', (data: Buffer) => {
      const json = JSON.parse(data.toString()) as Record<string, unknown>;
      if (!asks(json)) return;
      const frames = answers[ours.length] ?? [];
      ours.push(contextIn(json));
      for (const frame of frames) {
        if (frame.json === undefined) socket.send(Buffer.alloc(frame.binary ?? 0, 0x7f));
        else socket.send(JSON.stringify(inOurs(frame.json, (context) => ours[recorded.indexOf(context)])));
      }
    });
  });
  return url;
}

function inOurs(
  json: Record<string, unknown>,
  oursOf: (context: unknown) => unknown,
): Record<string, unknown> {
  const name = 'contextId' in json ? 'contextId' : 'context_id';
  return name in json ? { ...json, [name]: oursOf(json[name]) } : json;
}

async function openServer() {
  const server = new WebSocketServer({ noServer: true });
  const http = await openLoopbackServer((_request, response) => response.end());
  http.server.on('upgrade', (request, socket, head) =>
    server.handleUpgrade(request, socket, head, (one) => server.emit('connection', one, request)),
  );
  onTestFinished(() => server.close());
  return { url: http.url, server };
}

function wireOf(factory: TtsFactory, url: string) {
  const refuse = () => Promise.reject(new Error('no requests here'));
  const settings = { BASE_URL: url, API_KEY: 'k' };
  const openSocket = createSocketOpener({ clock: systemClock });
  return factory.open(settings, { clock: systemClock, fetch: refuse, openSocket });
}

/** All parts of a sentence; with `until`, up to where it is aborted. */
async function partsOf(stream: (signal: AbortSignal) => AsyncIterable<VoicePart>, until = Infinity) {
  const stop = new AbortController();
  const parts: VoicePart[] = [];
  for await (const part of stream(stop.signal)) {
    parts.push(part);
    if (parts.length >= until) stop.abort();
  }
  const bytes = parts.reduce((sum, part) => sum + ('bytes' in part ? part.bytes.length : 0), 0);
  return { bytes, words: parts.flatMap((part) => ('words' in part ? part.words : [])) };
}

describe.skipIf(RECORDINGS_FOLDER === null)('recorded sockets of voices', () => {
  it('ElevenLabs: sound of the sentence that was cut is not that of the next one', async () => {
    const asks = (json: Record<string, unknown>) => json['flush'] === true;
    const url = await replay(answersIn('elevenlabs/tts-multi-context-barge-in.jsonl', asks), asks);
    const wire = wireOf(elevenLabsTts, url);
    const first = await partsOf((signal) => wire.stream(SENTENCE, signal), 2);
    expect(first.words.map(({ text }) => text).join('')).toBe('Good ');
    expect(first.words.at(-1)?.endMs).toBe(300);
    expect(await partsOf((signal) => wire.stream(SENTENCE, signal))).toMatchObject({ bytes: 8, words: [] });
    wire.close?.();
  });

  it('Cartesia: words end where it says, and a cancelled generation is passed over', async () => {
    const asks = (json: Record<string, unknown>) => Boolean(json['transcript']);
    const url = await replay(answersIn('cartesia/tts-context.jsonl', asks), asks);
    const wire = wireOf(cartesiaTts, url);
    const first = await partsOf((signal) => wire.stream(SENTENCE, signal));
    expect(first.bytes).toBe(16);
    expect(first.words).toEqual([
      { text: 'Good', endMs: 200 },
      { text: 'morning.', endMs: 620 },
    ]);
    expect((await partsOf((signal) => wire.stream(SENTENCE, signal), 1)).bytes).toBe(8);
    wire.close?.();
  });

  it('Deepgram Flux: a sentence is over when it is flushed', async () => {
    const asks = (json: Record<string, unknown>) => json['type'] === 'Flush';
    const url = await replay(answersIn('deepgram/speak-v2-interrupt.jsonl', asks), asks);
    const wire = wireOf(deepgramTts, url);
    const flux = { ...SENTENCE, voice: 'flux-alexis-en' };
    expect(await partsOf((signal) => wire.stream(flux, signal))).toEqual({ bytes: 6_400, words: [] });
    wire.close?.();
  });
});
