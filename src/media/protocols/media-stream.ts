import { z } from 'zod';
import { frameSamples } from '../audio.js';
import { base64Length, decodeBase64Ulaw, encodeBase64Ulaw, samplesInBase64 } from '../base64-ulaw.js';
import { decodeUlaw } from '../g711.js';
import { createSampleScratch } from '../sample-scratch.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../stream-protocol.js';
import { parseJsonMessage } from './json-message.js';

const RATE_HZ = 8000;
const MEDIA_TAIL = Buffer.from('"}}');
/** How carriers write the one message that counts: fifty a second for every call. */
const MEDIA_START = Buffer.from('{"event":"media"');
const INBOUND = Buffer.from('"track":"inbound"');
const PAYLOAD = Buffer.from('"payload":"');
const QUOTE = '"'.charCodeAt(0);

/** The events of the protocol. The first message of a socket is recognised by them. */
export const MEDIA_STREAM_EVENTS: ReadonlySet<unknown> = new Set([
  'connected',
  'start',
  'media',
  'mark',
  'dtmf',
  'stop',
]);

const startSchema = z.object({
  streamSid: z.string().max(256).optional(),
  start: z.object({
    streamSid: z.string().max(256).optional(),
    // Kept with the call, and databases have no U+0000.
    callSid: z
      .string()
      .max(256)
      .regex(/^[^\0]*$/)
      .optional(),
    customParameters: z.record(z.string(), z.coerce.string()).default({}),
    mediaFormat: z
      .object({ encoding: z.string().optional(), sampleRate: z.coerce.number().optional() })
      .default({}),
  }),
});
const dtmfSchema = z.object({ dtmf: z.object({ digit: z.string().regex(/^[0-9A-D*#]$/) }) });
const markSchema = z.object({ mark: z.object({ name: z.string().max(256) }) });

/**
 * The media-stream protocol that telephone carriers speak (Twilio's, which others copied): JSON text frames both ways,
 * base64 μ-law at 8 kHz. Numbers may come as strings. Only the caller's track is heard. Sound is taken in the order
 * of arrival: a socket keeps its order, so chunk numbers and time stamps are not looked at. Events that are not known
 * are left unread; none but media, mark and clear is ever sent, because carriers hang up on others.
 */
export function createMediaStream(): StreamProtocol {
  return new MediaStream();
}

class MediaStream implements StreamProtocol {
  readonly name = 'media_stream';
  readonly audioFrames = 'text';
  readonly sampleRateHz = RATE_HZ;
  #streamField = '';
  #mediaHead = Buffer.alloc(0);
  #started = false;
  readonly #heard = createSampleScratch(frameSamples(RATE_HZ));
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };
  #bytes = Buffer.alloc(frameSamples(RATE_HZ));
  /** The message of a silent frame: most frames of most agents. It is sent again and again, and never changed. */
  #silence: { samples: number; message: Buffer } | null = null;

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (isBinary) throw new ProtocolError(1003, 'this protocol has text frames only');
    const sound = this.#started ? this.#readUsualMedia(message) : null;
    if (sound !== null) return sound;
    const json = parseJsonMessage(message);
    switch (json['event']) {
      case 'media':
        return this.#readMedia(json['media']);
      case 'start':
        return this.#readStart(json);
      case 'dtmf':
        return { kind: 'dtmf', digit: read(dtmfSchema, json).dtmf.digit };
      case 'mark':
        return { kind: 'mark', name: read(markSchema, json).mark.name };
      case 'stop':
        return { kind: 'stop' };
      default:
        return null;
    }
  }

  /** Written as bytes, because a socket takes text frames as strings at several times the price of buffers. */
  encodeAudio(samples: Int16Array): Buffer {
    if (!isSilent(samples)) return this.#encode(samples);
    if (this.#silence?.samples !== samples.length) {
      this.#silence = { samples: samples.length, message: this.#encode(samples) };
    }
    return this.#silence.message;
  }

  #encode(samples: Int16Array): Buffer {
    const head = this.#mediaHead;
    const tailAt = head.length + base64Length(samples.length);
    const message = Buffer.allocUnsafe(tailAt + MEDIA_TAIL.length);
    message.set(head);
    encodeBase64Ulaw(samples, message, head.length);
    message.set(MEDIA_TAIL, tailAt);
    return message;
  }

  encodeClear(): string {
    return `{"event":"clear"${this.#streamField}}`;
  }

  encodeMark(name: string): string {
    return `{"event":"mark"${this.#streamField},"mark":{"name":${JSON.stringify(name)}}}`;
  }

  encodeEvent(): null {
    return null;
  }

  #readStart(json: Readonly<Record<string, unknown>>): StreamMessage | null {
    if (this.#started) return null;
    const { start, streamSid: outerSid } = read(startSchema, json);
    const { encoding = 'audio/x-mulaw', sampleRate = RATE_HZ } = start.mediaFormat;
    if (encoding !== 'audio/x-mulaw' || sampleRate !== RATE_HZ) {
      throw new ProtocolError(1003, 'only audio/x-mulaw at 8000 Hz is spoken here');
    }
    // Some carriers that copied the protocol have no stream id.
    const streamSid = start.streamSid ?? outerSid;
    this.#streamField = streamSid === undefined ? '' : `,"streamSid":${JSON.stringify(streamSid)}`;
    this.#mediaHead = Buffer.from(`{"event":"media"${this.#streamField},"media":{"payload":"`);
    this.#silence = null;
    this.#started = true;
    return { kind: 'start', providerCallId: start.callSid ?? null, parameters: start.customParameters };
  }

  /**
   * The caller's sound from a message as carriers write it, without parsing the message (which costs more than all the
   * rest of a frame); null for anything unusual, which is then parsed. In JSON, quotes within texts are escaped, so the
   * keys cannot be found where they are none.
   */
  #readUsualMedia(message: Buffer): StreamMessage | null {
    for (let i = 0; i < MEDIA_START.length; i++) if (message[i] !== MEDIA_START[i]) return null;
    const trackAt = message.indexOf(INBOUND, MEDIA_START.length);
    const keyAt = trackAt < 0 ? -1 : message.indexOf(PAYLOAD, trackAt);
    if (keyAt < 0) return null;
    const from = keyAt + PAYLOAD.length;
    const count = samplesInBase64(message, from, message.indexOf(QUOTE, from));
    if (count <= 0) return null;
    const samples = this.#heard.take(count);
    if (!decodeBase64Ulaw(message, from, samples)) return null;
    this.#audio.samples = samples;
    return this.#audio;
  }

  #readMedia(media: unknown): StreamMessage | null {
    if (!this.#started) throw new ProtocolError(1008, 'media came before start');
    const { track = 'inbound', payload } = (media ?? {}) as { track?: unknown; payload?: unknown };
    if (typeof payload !== 'string') throw new ProtocolError(1007, 'media has no payload');
    if (track !== 'inbound') return null;
    const bytes = this.#room(Math.ceil((payload.length * 3) / 4));
    const sizeBytes = bytes.write(payload, 'base64');
    if (sizeBytes === 0) return null;
    const samples = this.#heard.take(sizeBytes);
    decodeUlaw(bytes, samples);
    this.#audio.samples = samples;
    return this.#audio;
  }

  #room(sizeBytes: number): Buffer {
    if (this.#bytes.length < sizeBytes) this.#bytes = Buffer.alloc(sizeBytes);
    return this.#bytes;
  }
}

function isSilent(samples: Int16Array): boolean {
  for (let i = 0; i < samples.length; i++) if (samples[i] !== 0) return false;
  return true;
}

function read<Output>(schema: z.ZodType<Output>, json: unknown): Output {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const field = parsed.error.issues[0]?.path.join('.') ?? '';
  throw new ProtocolError(1007, `a message is malformed at "${field}"`.slice(0, 120));
}
