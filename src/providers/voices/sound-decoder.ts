import type { SampleRateHz } from '#media/samples/audio.js';
import { decodeUlaw } from '#media/samples/g711.js';
import type { Resampler, Resampling } from '#media/samples/resampler.js';
import type { SoundFormat } from './voice-wire.js';

const RIFF = 'RIFF';
const CHUNK_HEADER_BYTES = 8;
/** Past the header of the file; chunks follow. */
const FIRST_CHUNK_AT = 12;

/**
 * Bytes of a vendor, cut anywhere, as samples at the rate of a line. A vendor that sends a WAV file where raw sound was
 * asked for is understood by its header.
 */
export class SoundDecoder {
  readonly #toHz: SampleRateHz;
  readonly #resampling: Resampling;
  #format: SoundFormat;
  #resampler: Resampler | null = null;
  /** Bytes that wait for more: half a sample, or a header that is not whole. */
  #held: Buffer = Buffer.alloc(0);
  #isBeginning = true;

  constructor(format: SoundFormat, toHz: SampleRateHz, resampling: Resampling) {
    this.#format = format;
    this.#toHz = toHz;
    this.#resampling = resampling;
  }

  /** The samples that are whole by now; the array is the caller's. */
  decode(bytes: Uint8Array): Int16Array {
    const all = this.#held.length === 0 ? asBuffer(bytes) : Buffer.concat([this.#held, bytes]);
    this.#held = Buffer.alloc(0);
    return this.#isBeginning ? this.#begin(all) : this.#samples(all);
  }

  /** The end of the sound. */
  flush(): Int16Array {
    const rest = this.#isBeginning ? this.#samples(this.#held) : new Int16Array(0);
    const tail = this.#resampler?.flush().slice();
    return tail === undefined ? rest : joined(rest, tail);
  }

  free(): void {
    this.#resampler?.free();
    this.#resampler = null;
  }

  #begin(bytes: Buffer): Int16Array {
    const isWave = bytes.toString('latin1', 0, RIFF.length) === RIFF.slice(0, bytes.length);
    const header = isWave ? readWaveHeader(bytes) : null;
    if (isWave && header === null) {
      this.#held = bytes;
      return new Int16Array(0);
    }
    this.#isBeginning = false;
    if (header) this.#format = { encoding: header.isUlaw ? 'mulaw' : 'pcm16', rateHz: header.rateHz };
    return this.#samples(header ? bytes.subarray(header.bytes) : bytes);
  }

  #samples(bytes: Buffer): Int16Array {
    const samples = this.#format.encoding === 'mulaw' ? ulawSamples(bytes) : this.#pcmSamples(bytes);
    if (this.#format.rateHz === this.#toHz || samples.length === 0) return samples;
    this.#resampler ??= this.#resampling.open({
      fromHz: this.#format.rateHz,
      toHz: this.#toHz,
      aligned: true,
    });
    return this.#resampler.process(samples).slice();
  }

  #pcmSamples(bytes: Buffer): Int16Array {
    const samples = new Int16Array(bytes.length >> 1);
    for (let at = 0; at < samples.length; at += 1) samples[at] = bytes.readInt16LE(at * 2);
    if (bytes.length % 2 === 1) this.#held = bytes.subarray(bytes.length - 1);
    return samples;
  }
}

function ulawSamples(bytes: Uint8Array): Int16Array {
  const samples = new Int16Array(bytes.length);
  decodeUlaw(bytes, samples);
  return samples;
}

/** Null while it is not whole. A header of a stream need not know how long the sound is. */
function readWaveHeader(bytes: Buffer): { bytes: number; rateHz: number; isUlaw: boolean } | null {
  let format = { rateHz: 0, isUlaw: false };
  for (let at = FIRST_CHUNK_AT; at + CHUNK_HEADER_BYTES <= bytes.length;) {
    const name = bytes.toString('latin1', at, at + 4);
    const body = at + CHUNK_HEADER_BYTES;
    if (name === 'data') return { ...format, bytes: body };
    if (name === 'fmt ' && bytes.length >= body + 8)
      format = { isUlaw: bytes.readUInt16LE(body) === 7, rateHz: bytes.readUInt32LE(body + 4) };
    at = body + bytes.readUInt32LE(at + 4);
  }
  return null;
}

function asBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function joined(first: Int16Array, second: Int16Array): Int16Array {
  const whole = new Int16Array(first.length + second.length);
  whole.set(first);
  whole.set(second, first.length);
  return whole;
}
