import { z } from 'zod';
import type { Clock } from '#kernel/time/clock.js';

/** Writes Plivo's messages of a stream. Source: Plivo, "Audio streaming", and its stream SDK for Java. */
export class PlivoFrames {
  readonly #stream: { streamId: string; callId: string; accountId: string; extraHeaders: string };
  readonly #clock: Clock;
  #sequenceNumber = 0;
  #chunk = 0;

  constructor(
    stream: {
      streamId: string;
      callId: string;
      accountId: string;
      parameters: Readonly<Record<string, string>>;
    },
    clock: Clock,
  ) {
    const { parameters, ...names } = stream;
    const pairs = Object.entries(parameters).map(([name, value]) => `${name}=${value}`);
    this.#stream = { ...names, extraHeaders: pairs.join(';') };
    this.#clock = clock;
  }

  /** The first message; there is no greeting. */
  start(): object {
    const { streamId, callId, accountId, extraHeaders } = this.#stream;
    return {
      sequenceNumber: this.#sequenceNumber++,
      event: 'start',
      start: {
        callId,
        streamId,
        accountId,
        tracks: ['inbound'],
        mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000 },
      },
      extra_headers: extraHeaders,
    };
  }

  media(payload: Buffer): object {
    this.#chunk += 1;
    const media = {
      track: 'inbound',
      timestamp: this.#timestamp(),
      chunk: this.#chunk,
      payload: payload.toString('base64'),
    };
    return { ...this.#numbered('media'), media, extra_headers: this.#stream.extraHeaders };
  }

  dtmf(digit: string): object {
    const dtmf = { track: 'inbound', digit, timestamp: this.#timestamp() };
    return { ...this.#numbered('dtmf'), dtmf };
  }

  playedStream(name: string): object {
    return { event: 'playedStream', streamId: this.#stream.streamId, name };
  }

  clearedAudio(): object {
    return this.#numbered('clearedAudio');
  }

  stop(): object {
    return { event: 'stop', streamId: this.#stream.streamId };
  }

  #numbered(event: string): object {
    return { sequenceNumber: this.#sequenceNumber++, streamId: this.#stream.streamId, event };
  }

  #timestamp(): string {
    return String(this.#clock.wallMs());
  }
}

const serviceFrame = z.discriminatedUnion('event', [
  z.strictObject({
    event: z.literal('playAudio'),
    streamId: z.string().optional(),
    media: z.strictObject({
      contentType: z.literal('audio/x-mulaw'),
      sampleRate: z.literal(8000),
      payload: z.base64(),
    }),
  }),
  z.strictObject({ event: z.literal('checkpoint'), streamId: z.string(), name: z.string() }),
  z.strictObject({ event: z.literal('clearAudio'), streamId: z.string() }),
]);

export type PlivoServiceFrame = z.infer<typeof serviceFrame>;

/** Parses a message of the service on a stream; null if invalid. */
export function readServiceFrame(text: string, streamId: string): PlivoServiceFrame | null {
  try {
    const frame = serviceFrame.parse(JSON.parse(text));
    return (frame.streamId ?? streamId) === streamId ? frame : null;
  } catch {
    return null;
  }
}
