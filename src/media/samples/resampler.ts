import loadPlain, { type SpeexModule } from '@echogarden/speex-resampler-wasm';
import loadSimd from '@echogarden/speex-resampler-wasm/simd';

/** Speex quality 5: flat to 3.4 kHz, aliases 95 dB down; 3–4 µs per frame between 8 and 16 kHz. */
const QUALITY = 5;
/** Longer input is processed in pieces of this length: 40 ms of wide-band audio, two frames. */
const PIECE_SAMPLES = 640;
const SAMPLE_BYTES = Int16Array.BYTES_PER_ELEMENT;

/**
 * Conversion of audio between sample rates, for all calls: one WASM module and a small state per stream. Lines, voices
 * and recognisers have different rates.
 */
export interface Resampling {
  /**
   * Opens a stream from one rate to another (whole Hz, 4,000 to 192,000). Must be freed.
   *
   * `aligned: true` removes the delay of the filter, for whole sounds and sentences: the first output sample belongs to
   * the first input sample, and `flush` returns the tail. Otherwise the output is late by the delay of the filter (5 ms
   * from 8 kHz, see `delayMs`), but every frame of a call yields as much audio as it has, from the first on.
   */
  open(options: { fromHz: number; toHz: number; aligned?: boolean }): Resampler;
}

/** The state of one stream. */
export interface Resampler {
  /** Delay of the output in milliseconds; 0 for an aligned stream. */
  readonly delayMs: number;
  /** Resamples a piece of any length. The output is valid until the next call on this stream: copy what must last. */
  process(samples: Int16Array): Int16Array;
  /** The tail inside the filter, at the end of a stream. Valid as long as the output of `process`. */
  flush(): Int16Array;
  /** Frees the memory. May be called twice; other methods throw afterwards. */
  free(): void;
}

/** Loads the WASM module: the SIMD build if the machine supports it, else the plain one. */
export async function loadResampling(): Promise<Resampling> {
  const speex = await loadSimd().catch(loadPlain);
  return { open: ({ fromHz, toHz, aligned = false }) => new SpeexStream(speex, fromHz, toHz, aligned) };
}

class SpeexStream implements Resampler {
  readonly delayMs: number;
  readonly #speex: SpeexModule;
  /** The delay of the filter, in input samples. */
  readonly #latencySamples: number;
  readonly #ratio: number;
  /** Room for the output of one piece, in samples. */
  readonly #pieceOutSamples: number;
  /** Address of one block of the module's memory: input piece, output piece, two lengths. 0 once freed. */
  #block: number;
  /** Address of the filter's state; 0 once freed. */
  #state: number;
  /** Addresses of the three parts of the block, in bytes. */
  readonly #inAt: number;
  readonly #outAt: number;
  readonly #lengthsAt: number;
  /** Output, gathered outside the module's memory, which moves when it grows. */
  #gathered: Int16Array;
  #gatheredSamples = 0;
  /** The view that was returned last; reused, because most outputs of a stream have one length. */
  #output: Int16Array;

  constructor(speex: SpeexModule, fromHz: number, toHz: number, aligned: boolean) {
    this.#speex = speex;
    this.#ratio = toHz / fromHz;
    // A few samples more: the filter may give out a sample early or late.
    this.#pieceOutSamples = Math.ceil(PIECE_SAMPLES * this.#ratio) + 8;
    const outOffset = PIECE_SAMPLES * SAMPLE_BYTES;
    // The two lengths are 32-bit numbers, so their address is a multiple of four.
    const lengthsOffset = (outOffset + this.#pieceOutSamples * SAMPLE_BYTES + 3) & ~3;
    this.#block = speex._malloc(lengthsOffset + 8);
    this.#inAt = this.#block;
    this.#outAt = this.#block + outOffset;
    this.#lengthsAt = this.#block + lengthsOffset;
    // The error code is written to the place of the lengths, and not read: a failure shows as a state of 0.
    this.#state = speex._speex_resampler_init(1, fromHz, toHz, QUALITY, this.#lengthsAt);
    if (this.#state === 0) {
      speex._free(this.#block);
      throw new RangeError(`cannot resample from ${fromHz} to ${toHz} Hz`);
    }
    this.#latencySamples = speex._speex_resampler_get_input_latency(this.#state);
    if (aligned) speex._speex_resampler_skip_zeros(this.#state);
    this.delayMs = aligned ? 0 : (this.#latencySamples * 1000) / fromHz;
    this.#gathered = new Int16Array(this.#pieceOutSamples);
    this.#output = this.#gathered.subarray(0, 0);
  }

  process(samples: Int16Array): Int16Array {
    this.#begin(samples.length);
    for (let from = 0; from < samples.length; from += PIECE_SAMPLES) {
      const to = Math.min(samples.length, from + PIECE_SAMPLES);
      const heap = this.#speex.HEAP16;
      const inputAt = this.#inAt >> 1;
      for (let i = from; i < to; i++) heap[inputAt + i - from] = samples[i]!;
      this.#convert(to - from);
    }
    return this.#finish();
  }

  flush(): Int16Array {
    this.#begin(this.#latencySamples);
    for (let left = this.#latencySamples; left > 0; left -= PIECE_SAMPLES) {
      const count = Math.min(left, PIECE_SAMPLES);
      this.#speex.HEAP16.fill(0, this.#inAt >> 1, (this.#inAt >> 1) + count);
      this.#convert(count);
    }
    return this.#finish();
  }

  free(): void {
    if (this.#state === 0) return;
    this.#speex._speex_resampler_destroy(this.#state);
    this.#speex._free(this.#block);
    this.#state = this.#block = 0;
  }

  /** Begins an output, with room for the result of this many input samples. @throws Error once freed */
  #begin(inputSamples: number): void {
    if (this.#state === 0) throw new Error('the resampler was freed');
    const needed = Math.ceil(inputSamples * this.#ratio) + this.#pieceOutSamples;
    if (needed > this.#gathered.length) {
      this.#gathered = new Int16Array(needed);
      this.#output = this.#gathered.subarray(0, 0);
    }
    this.#gatheredSamples = 0;
  }

  /**
   * Converts the piece at `#inAt`; the output has room for all of it. The shifts convert addresses in bytes to indexes
   * of 16-bit or 32-bit numbers.
   */
  #convert(inputSamples: number): void {
    const speex = this.#speex;
    const lengths = this.#lengthsAt >> 2;
    speex.HEAPU32[lengths] = inputSamples;
    speex.HEAPU32[lengths + 1] = this.#pieceOutSamples;
    speex._speex_resampler_process_int(
      this.#state,
      0,
      this.#inAt,
      this.#lengthsAt,
      this.#outAt,
      this.#lengthsAt + 4,
    );
    const produced = speex.HEAPU32[lengths + 1]!;
    const heap = speex.HEAP16;
    const outAt = this.#outAt >> 1;
    for (let i = 0; i < produced; i++) this.#gathered[this.#gatheredSamples++] = heap[outAt + i]!;
  }

  /** The output of all pieces since `#begin`. */
  #finish(): Int16Array {
    if (this.#output.length !== this.#gatheredSamples) {
      this.#output = this.#gathered.subarray(0, this.#gatheredSamples);
    }
    return this.#output;
  }
}

/** Resamples a whole piece of audio, without the delay of the filter. */
export function resampleWhole(
  resampling: Resampling,
  samples: Int16Array,
  { fromHz, toHz }: { fromHz: number; toHz: number },
): Int16Array {
  if (fromHz === toHz) return samples;
  const stream = resampling.open({ fromHz, toHz, aligned: true });
  const body = stream.process(samples).slice();
  const tail = stream.flush();
  const whole = new Int16Array(body.length + tail.length);
  whole.set(body);
  whole.set(tail, body.length);
  stream.free();
  return whole;
}
