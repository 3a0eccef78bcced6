import { z } from 'zod';
import type { Dialect } from './dialect.js';

/** Writes a gateway's messages of a stream. Source: Twilio's reference of the Media Streams WebSocket messages. */
export class StreamFrames {
  readonly #dialect: Dialect;
  readonly #stream: { streamSid: string; callSid: string; accountSid: string };
  #sequenceNumber = 0;
  #chunk = 0;

  constructor(dialect: Dialect, stream: { streamSid: string; callSid: string; accountSid: string }) {
    this.#dialect = dialect;
    this.#stream = stream;
  }

  connected(): object {
    return { event: 'connected', protocol: 'Call', version: this.#dialect.streamVersion };
  }

  start(parameters: Readonly<Record<string, string>>): object {
    const { namesStreamEverywhere } = this.#dialect;
    const hasParameters = namesStreamEverywhere || Object.keys(parameters).length > 0;
    return this.#numbered('start', {
      ...this.#stream,
      tracks: ['inbound'],
      mediaFormat: { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 },
      ...(hasParameters ? { customParameters: parameters } : {}),
    });
  }

  media(payload: Buffer): object {
    this.#chunk += 1;
    return this.#numbered('media', {
      track: 'inbound',
      chunk: String(this.#chunk),
      timestamp: String((this.#chunk - 1) * 20),
      payload: payload.toString('base64'),
    });
  }

  dtmf(digit: string): object {
    return this.#numbered(
      'dtmf',
      this.#dialect.namesStreamEverywhere ? { track: 'inbound_track', digit } : { digit, duration: 100 },
    );
  }

  mark(name: string): object {
    return this.#numbered('mark', { name });
  }

  stop(): object {
    const { accountSid, callSid } = this.#stream;
    return this.#dialect.namesStreamEverywhere
      ? this.#numbered('stop', { accountSid, callSid })
      : { event: 'stop', sequenceNumber: this.#next() };
  }

  #numbered(event: string, content: object): object {
    const { streamSid } = this.#stream;
    const named = this.#dialect.namesStreamEverywhere ? { streamSid } : {};
    return { event, sequenceNumber: this.#next(), [event]: content, ...named };
  }

  #next(): string {
    this.#sequenceNumber += 1;
    return String(this.#sequenceNumber);
  }
}

const serviceFrame = z.discriminatedUnion('event', [
  z.object({ event: z.literal('media'), streamSid: z.string(), media: z.object({ payload: z.base64() }) }),
  z.object({ event: z.literal('mark'), streamSid: z.string(), mark: z.object({ name: z.string() }) }),
  z.object({ event: z.literal('clear'), streamSid: z.string() }),
]);

export type ServiceFrame = z.infer<typeof serviceFrame>;

/** Parses a message of the service on a stream; null for one that makes a gateway close the stream. */
export function readServiceFrame(text: string, streamSid: string): ServiceFrame | null {
  try {
    const frame = serviceFrame.parse(JSON.parse(text));
    return frame.streamSid === streamSid ? frame : null;
  } catch {
    return null;
  }
}
