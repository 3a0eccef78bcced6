import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createPcm16Codec, type SoundCodec } from '#media/samples/pcm16.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from './stream-protocol.js';
import { requireSupportedRate, type Json, parseJsonMessage } from './carrier-fields.js';

/**
 * The differences between carriers that send and take PCM in binary frames (jambonz, Vonage). Each carrier's folder has
 * its dialect; there is one object per connection, which may keep state.
 */
export interface BinaryMediaDialect {
  readonly name: string;
  /** The rate that the service requests from the carrier when the call is set up. */
  readonly requestedRateHz: SampleRateHz;
  /** Name of the message that must precede any audio, for the text of an error. */
  readonly firstMessage: string;
  /**
   * Reads a text message as the start of the stream; null for another message.
   * @throws ProtocolError if the stream cannot be handled
   */
  readStart(json: Json): BinaryMediaStart | null;
  /** Reads any other text message; null for an unknown one. */
  readEvent(json: Json): StreamMessage | null;
  /** The message that clears the carrier's playout buffer. */
  writeClear(): string;
  /**
   * The message that asks for an acknowledgement once everything before was played; null if the carrier cannot take a
   * further mark now.
   */
  writeMark(name: string): string | null;
}

/** The result of the start message. */
export interface BinaryMediaStart {
  message: Extract<StreamMessage, { kind: 'start' }>;
  /** The sample rate that the carrier names, not validated yet. */
  rateHz: number;
}

/**
 * A protocol with signed 16-bit little-endian audio in binary frames both ways, at the rate that the carrier's start
 * message names, and JSON text frames for everything else. It has no end message: the socket closes.
 */
export function createBinaryMedia(dialect: BinaryMediaDialect): StreamProtocol {
  return new BinaryMedia(dialect);
}

class BinaryMedia implements StreamProtocol {
  readonly name: string;
  readonly audioFrames = 'binary';
  readonly playoutBuffer = null;
  readonly #dialect: BinaryMediaDialect;
  #sampleRateHz: SampleRateHz;
  /** Null before the start message. */
  #codec: SoundCodec | null = null;
  /** One message object for all audio, so that no frame allocates one. */
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  constructor(dialect: BinaryMediaDialect) {
    this.name = dialect.name;
    this.#dialect = dialect;
    this.#sampleRateHz = dialect.requestedRateHz;
  }

  /** The agreed rate; before the start message, the requested one. */
  get sampleRateHz(): SampleRateHz {
    return this.#sampleRateHz;
  }

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (!isBinary) return this.#readText(parseJsonMessage(message));
    this.#audio.samples = this.#requireCodec().decode(message);
    return this.#audio.samples.length === 0 ? null : this.#audio;
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#requireCodec().encode(samples);
  }

  encodeClear(): string {
    return this.#dialect.writeClear();
  }

  encodeMark(name: string): string | null {
    return this.#dialect.writeMark(name);
  }

  encodeEvent(): null {
    return null;
  }

  /** Reads a text message. The start message decides the sample rate; a second start is read as an event. */
  #readText(json: Json): StreamMessage | null {
    const start = this.#codec === null ? this.#dialect.readStart(json) : null;
    if (start === null) return this.#dialect.readEvent(json);
    this.#sampleRateHz = requireSupportedRate(start.rateHz);
    this.#codec = createPcm16Codec(frameSamples(this.#sampleRateHz));
    return start.message;
  }

  /** The codec of the stream. @throws ProtocolError before its start */
  #requireCodec(): SoundCodec {
    if (this.#codec === null) throw new ProtocolError(`sound came before ${this.#dialect.firstMessage}`);
    return this.#codec;
  }
}
