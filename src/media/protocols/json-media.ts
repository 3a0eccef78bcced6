import { z } from 'zod';
import { ProtocolError, type StreamMessage, type StreamProtocol } from './stream-protocol.js';
import {
  digitField,
  dtmfMessage,
  numberField,
  readFields,
  type Json,
  parseJsonMessage,
} from './carrier-fields.js';
import { createMediaReader, createMediaWriter } from './media-messages.js';

/** The rate of all audio in JSON. */
export const JSON_MEDIA_RATE_HZ = 8000;
/**
 * Audio per message: ten frames in one message cost about as much as one frame. Longer messages would mean more audio
 * that an interruption discards.
 */
const PIECE_MS = 200;

const dtmfSchema = z.object({ dtmf: z.object({ digit: digitField }) });

/**
 * The differences between carriers that send and take G.711 in JSON (Twilio, Telnyx, Plivo). Each carrier's folder has
 * its dialect; there is one object per connection, which may keep state.
 */
export interface JsonMediaDialect {
  readonly name: string;
  /** Reads the start of the stream. @throws ProtocolError if the stream cannot be handled */
  readStart(json: Json): MediaStart;
  /** The name of the event that acknowledges a mark. */
  readonly markEvent: string;
  /** Reads the name of an acknowledged mark. */
  readMark(json: Json): string;
  /**
   * For a carrier whose messages may arrive out of order: returns the audio that is now in order, else null.
   * @param json the parsed message; null if the audio was read without parsing `message`
   */
  inOrder?(samples: Int16Array, message: Buffer, json: Json | null): Int16Array | null;
  /** The message that clears the carrier's playout buffer. */
  writeClear(): string;
  /** The message that asks for an acknowledgement once everything before was played. */
  writeMark(name: string): string;
}

/** The result of the start message. */
export interface MediaStart {
  message: Extract<StreamMessage, { kind: 'start' }>;
  /** The beginning of every message with the agent's audio, up to its payload. */
  mediaHead: string;
  /** The decoding table of the caller's audio (see g711.ts); μ-law if absent. */
  decodingTable?: Int16Array;
}

/**
 * A protocol of JSON text frames both ways, with base64 G.711 at 8 kHz in `media` events after one `start`. Of the
 * carrier's tracks, the caller's is read; unknown events are ignored. Events of the service (`encodeEvent`) are not
 * sent, because carriers hang up on unknown messages.
 */
export function createJsonMedia(dialect: JsonMediaDialect): StreamProtocol {
  return new JsonMedia(dialect);
}

class JsonMedia implements StreamProtocol {
  readonly name: string;
  readonly audioFrames = 'text';
  readonly playoutBuffer = { pieceMs: PIECE_MS };
  readonly sampleRateHz = JSON_MEDIA_RATE_HZ;
  readonly #dialect: JsonMediaDialect;
  readonly #reader = createMediaReader();
  #writer = createMediaWriter('');
  #hasStarted = false;
  /** One message object for all audio, so that no frame allocates one. */
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  constructor(dialect: JsonMediaDialect) {
    this.name = dialect.name;
    this.#dialect = dialect;
  }

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (isBinary) throw new ProtocolError('this protocol has text frames only');
    const samples = this.#hasStarted ? this.#reader.readUnparsed(message) : null;
    if (samples !== null) return this.#audioMessage(samples, message, null);
    const json = parseJsonMessage(message);
    switch (json['event']) {
      case 'media':
        if (!this.#hasStarted) throw new ProtocolError('media came before start');
        return this.#audioMessage(this.#reader.readParsed(json['media']), message, json);
      case 'start':
        return this.#hasStarted ? null : this.#start(this.#dialect.readStart(json));
      case 'dtmf':
        return dtmfMessage(readFields(dtmfSchema, json).dtmf.digit);
      case this.#dialect.markEvent:
        return { kind: 'mark', name: this.#dialect.readMark(json) };
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
    return this.#dialect.writeClear();
  }

  encodeMark(name: string): string {
    return this.#dialect.writeMark(name);
  }

  encodeEvent(): null {
    return null;
  }

  #start({ message, mediaHead, decodingTable }: MediaStart): StreamMessage {
    this.#writer = createMediaWriter(mediaHead);
    if (decodingTable !== undefined) this.#reader.setDecodingTable(decodingTable);
    this.#hasStarted = true;
    return message;
  }

  /** The message for audio of the caller; null without audio, or if it waits for earlier audio (`inOrder`). */
  #audioMessage(samples: Int16Array | null, message: Buffer, json: Json | null): StreamMessage | null {
    if (samples === null) return null;
    const ordered = this.#dialect.inOrder ? this.#dialect.inOrder(samples, message, json) : samples;
    if (ordered === null) return null;
    this.#audio.samples = ordered;
    return this.#audio;
  }
}

/**
 * The `mediaFormat` of a `start` as Twilio and Plivo write it. Missing fields get the values that our call control
 * requests.
 */
export const mediaFormatField = z
  .object({ encoding: z.string().nullish(), sampleRate: numberField.nullish() })
  .nullish()
  .transform((format) => ({
    encoding: format?.encoding ?? 'audio/x-mulaw',
    sampleRate: format?.sampleRate ?? JSON_MEDIA_RATE_HZ,
  }));

/** Requires the format that our call control requests: μ-law at 8 kHz. @throws ProtocolError for any other */
export function requireUlaw({ encoding, sampleRate }: z.output<typeof mediaFormatField>): void {
  if (encoding === 'audio/x-mulaw' && sampleRate === JSON_MEDIA_RATE_HZ) return;
  throw new ProtocolError('only audio/x-mulaw at 8000 Hz is spoken here');
}
