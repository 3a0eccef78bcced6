import { frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createPcm16Codec, type SoundCodec } from '#media/samples/pcm16.js';
import { ProtocolError, type StreamMessage, type StreamProtocol } from './stream-protocol.js';
import { spokenRate, type Json } from './carrier-fields.js';
import { parseJsonMessage } from './json-message.js';

/**
 * Where the carriers differ that send and take PCM in binary frames. One object is of one connection, and may keep its
 * state.
 */
export interface BinaryMediaDialect {
  readonly name: string;
  /** The rate that our call control asks for. */
  readonly askedRateHz: SampleRateHz;
  /** What must come before any sound, in the words of the protocol. */
  readonly firstMessage: string;
  /** Null for a message that does not begin the stream. @throws ProtocolError where it is none that can be spoken */
  readStart(json: Json): BinaryMediaStart | null;
  /** What else the carrier says in text; null for what is not known. */
  readEvent(json: Json): StreamMessage | null;
  writeClear(): string;
  writeMark(name: string): string | null;
}

/** What the first message settles. */
export interface BinaryMediaStart {
  message: Extract<StreamMessage, { kind: 'start' }>;
  /** As the carrier names it. */
  rateHz: number;
}

/**
 * Signed 16-bit little-endian sound in binary frames both ways, at a rate that the carrier's first message names, and
 * JSON text frames for everything else. There is no word for the end: the socket closes.
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
  /** Null before the stream has begun. */
  #codec: SoundCodec | null = null;
  readonly #audio: { kind: 'audio'; samples: Int16Array } = { kind: 'audio', samples: new Int16Array(0) };

  constructor(dialect: BinaryMediaDialect) {
    this.name = dialect.name;
    this.#dialect = dialect;
    this.#sampleRateHz = dialect.askedRateHz;
  }

  /** As it was agreed; before that, the one that we ask for. */
  get sampleRateHz(): SampleRateHz {
    return this.#sampleRateHz;
  }

  decode(message: Buffer, isBinary: boolean): StreamMessage | null {
    if (!isBinary) return this.#readText(parseJsonMessage(message));
    this.#audio.samples = this.#begun().decode(message);
    return this.#audio.samples.length === 0 ? null : this.#audio;
  }

  encodeAudio(samples: Int16Array): Buffer {
    return this.#begun().encode(samples);
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

  #readText(json: Json): StreamMessage | null {
    const start = this.#codec === null ? this.#dialect.readStart(json) : null;
    if (start === null) return this.#dialect.readEvent(json);
    this.#sampleRateHz = spokenRate(start.rateHz);
    this.#codec = createPcm16Codec(frameSamples(this.#sampleRateHz));
    return start.message;
  }

  #begun(): SoundCodec {
    if (this.#codec === null) throw new ProtocolError(`sound came before ${this.#dialect.firstMessage}`);
    return this.#codec;
  }
}
