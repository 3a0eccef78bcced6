import { z } from 'zod';
import { ProtocolError, type StreamMessage, type StreamProtocol } from '../stream-protocol.js';
import {
  callIdField,
  digitField,
  keyPressed,
  markNameField,
  numberField,
  parametersField,
  readFields,
  type Json,
} from './carrier-fields.js';
import { parseJsonMessage } from './json-message.js';
import { createMediaReader } from './media-reader.js';
import { createMediaWriter } from './media-writer.js';

const RATE_HZ = 8000;
const EVENTS: ReadonlySet<unknown> = new Set(['start', 'media', 'mark', 'dtmf', 'stop']);

const streamSidField = z.string().max(256).optional();
const startSchema = z.object({
  streamSid: streamSidField,
  start: z.object({
    streamSid: streamSidField,
    callSid: callIdField.optional(),
    customParameters: parametersField,
    mediaFormat: z
      .object({ encoding: z.string().optional(), sampleRate: numberField.optional() })
      .default({}),
  }),
});
const dtmfSchema = z.object({ dtmf: z.object({ digit: digitField }) });
const markSchema = z.object({ mark: z.object({ name: markNameField }) });

/** Whether a message is of this protocol. Others begin with `start` too: they are to be looked for first. */
export function isMediaStream(json: Json): boolean {
  return EVENTS.has(json['event']);
}

/**
 * The media-stream protocol that telephone carriers speak (Twilio's, which SignalWire and others copied): JSON text
 * frames both ways, base64 μ-law at 8 kHz. Numbers may come as strings. Only the caller's track is heard. Sound is taken
 * in the order of arrival: a socket keeps its order, so chunk numbers and time stamps are not looked at. Events that are
 * not known are left unread; none but media, mark and clear is ever sent, because carriers hang up on others.
 */
export function createMediaStream(): StreamProtocol {
  return new MediaStream();
}

class MediaStream implements StreamProtocol {
  readonly name = 'media_stream';
  readonly audioFrames = 'text';
  readonly sampleRateHz = RATE_HZ;
  readonly #reader = createMediaReader();
  #writer = createMediaWriter('');
  #streamField = '';
  #started = false;
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (isBinary) throw new ProtocolError(1003, 'this protocol has text frames only');
    const sound = this.#started ? this.#reader.readUsual(message) : null;
    if (sound !== null) return this.#heard(sound);
    const json = parseJsonMessage(message);
    switch (json['event']) {
      case 'media':
        if (!this.#started) throw new ProtocolError(1008, 'media came before start');
        return this.#heard(this.#reader.read(json['media']));
      case 'start':
        return this.#readStart(json);
      case 'dtmf':
        return keyPressed(readFields(dtmfSchema, json).dtmf.digit);
      case 'mark':
        return { kind: 'mark', name: readFields(markSchema, json).mark.name };
      case 'stop':
        return { kind: 'stop' };
      default:
        return null;
    }
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#writer.write(samples);
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

  #readStart(json: Json): StreamMessage | null {
    if (this.#started) return null;
    const { start, streamSid: outerSid } = readFields(startSchema, json);
    const { encoding = 'audio/x-mulaw', sampleRate = RATE_HZ } = start.mediaFormat;
    if (encoding !== 'audio/x-mulaw' || sampleRate !== RATE_HZ) {
      throw new ProtocolError(1003, 'only audio/x-mulaw at 8000 Hz is spoken here');
    }
    // Some carriers name the stream within `start` only, and some that copied the protocol have no stream id at all.
    const streamSid = start.streamSid ?? outerSid;
    this.#streamField = streamSid === undefined ? '' : `,"streamSid":${JSON.stringify(streamSid)}`;
    this.#writer = createMediaWriter(`{"event":"media"${this.#streamField},"media":{"payload":"`);
    this.#started = true;
    return { kind: 'start', providerCallId: start.callSid ?? null, parameters: start.customParameters };
  }

  #heard(samples: Int16Array | null): StreamMessage | null {
    if (samples === null) return null;
    this.#audio.samples = samples;
    return this.#audio;
  }
}
