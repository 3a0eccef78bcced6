import type { SampleRateHz } from '#media/samples/audio.js';
import { decodeUlaw } from '#media/samples/g711.js';
import type { Resampler, Resampling } from '#media/samples/resampler.js';
import type { SoundFormat } from './voice-wire.js';

/** The first bytes of a WAV file. */
const RIFF = 'RIFF';
const CHUNK_HEADER_BYTES = 8;
/** The format code of µ-law in a WAV header. */
const ULAW = 7;
/** The offset of the first chunk, after the file header. */
const FIRST_CHUNK_AT = 12;

/**
 * Decodes the audio of one sentence from a vendor: bytes, cut anywhere, to samples at the rate of the call. Some
 * servers send a WAV file where raw audio was requested; it is recognised by its header, whose format then counts. Used
 * by `vendorTts`.
 */
export class SoundDecoder {
  readonly #toHz: SampleRateHz;
  readonly #resampling: Resampling;
  #format: SoundFormat;
  #resampler: Resampler | null = null;
  /** Incomplete bytes: half a sample, or a part of a header. */
  #held: Buffer = Buffer.alloc(0);
  /** True until it is known whether the audio begins with a WAV header. */
  #isBeginning = true;

  /** @param format the requested format */
  constructor(format: SoundFormat, toHz: SampleRateHz, resampling: Resampling) {
    this.#format = format;
    this.#toHz = toHz;
    this.#resampling = resampling;
  }

  /** Decodes the next bytes to the samples that they complete. The caller owns the array. */
  decode(bytes: Uint8Array): Int16Array {
    const all = this.#held.length === 0 ? asBuffer(bytes) : Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    return this.#isBeginning ? this.#decodeBeginning(all) : this.#toSamples(all);
  }

  /**
   * Ends the audio and returns the remaining samples. Bytes still held as a possible header are audio; half a sample is
   * dropped.
   */
  flush(): Int16Array {
    const rest = this.#isBeginning ? this.#toSamples(this.#held) : new Int16Array(0);
    const tail = this.#resampler?.flush().slice();
    return tail === undefined ? rest : concatenated(rest, tail);
  }

  /** Frees the resampler's memory in WebAssembly. */
  free(): void {
    this.#resampler?.free();
    this.#resampler = null;
  }

  /** Decodes the first bytes once they show whether there is a WAV header; until then they are held. */
  #decodeBeginning(bytes: Buffer): Int16Array {
    const isWave = bytes.toString('latin1', 0, RIFF.length) === RIFF.slice(0, bytes.length);
    const header = isWave ? readWaveHeader(bytes) : null;
    if (isWave && header === null) {
      this.#held = bytes;
      return new Int16Array(0);
    }
    this.#isBeginning = false;
    if (header) this.#format = { encoding: header.isUlaw ? 'mulaw' : 'pcm16', rateHz: header.rateHz };
    return this.#toSamples(header ? bytes.subarray(header.headerBytes) : bytes);
  }

  /** Decodes audio bytes and resamples them to the rate of the call. */
  #toSamples(bytes: Buffer): Int16Array {
    const samples = this.#format.encoding === 'mulaw' ? ulawSamples(bytes) : this.#pcmSamples(bytes);
    if (this.#format.rateHz === this.#toHz || samples.length === 0) return samples;
    this.#resampler ??= this.#resampling.open({
      fromHz: this.#format.rateHz,
      toHz: this.#toHz,
      aligned: true,
    });
    return this.#resampler.process(samples).slice();
  }

  /** Reads 16-bit samples; an odd last byte is held. */
  #pcmSamples(bytes: Buffer): Int16Array {
    const samples = new Int16Array(bytes.length >> 1);
    // The bytes and the array have the same byte order: little-endian, as every machine that the service runs on.
    new Uint8Array(samples.buffer).set(bytes.subarray(0, samples.byteLength));
    if (bytes.length % 2 === 1) this.#held = bytes.subarray(bytes.length - 1);
    return samples;
  }
}

function ulawSamples(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  decodeUlaw(bytes, samples);
  return samples;
}

/**
 * The format in a WAV header, and the header's length; null while the header is incomplete. Lengths of data are
 * ignored: a streamed file does not know its own.
 */
function readWaveHeader(bytes: Buffer): { headerBytes: number; rateHz: number; isUlaw: boolean } | null {
  let format = { rateHz: 0, isUlaw: false };
  for (let at = FIRST_CHUNK_AT; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const body = at + CHUNK_HEADER_BYTES;
    if (name === 'data') return { ...format, headerBytes: body };
    if (name === 'fmt ' && bytes.length >= body + 8)
      format = { isUlaw: bytes.readUInt16LE(body) === ULAW, rateHz: bytes.readUInt32LE(body + 4) };
    at = body + bytes.readUInt32LE(at + 4);
  }
  return null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function concatenated(first: Int16Array, second: Int16Array): Int16Array {
  const whole = new Int16Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
