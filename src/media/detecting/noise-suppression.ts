import loadModule, { type RnnoiseModule } from '@echogarden/rnnoise-wasm';
import type { Resampler, Resampling } from '#media/samples/resampler.js';

/** RNNoise knows voices at this rate only, and takes 10 ms at a time. */
const SUPPRESSED_RATE_HZ = 48_000;
const PIECE_SAMPLES = 480;
const PIECE_BYTES = PIECE_SAMPLES * Float32Array.BYTES_PER_ELEMENT;
/** More than comes out of one frame of telephone sound; grows for who pushes more at once. */
const USUAL_SAMPLES = 4 * PIECE_SAMPLES;

const FULL_SCALE = 32_767;

/** Noise suppression for all calls: one WASM module, about 100 kB of state for each stream. */
export interface NoiseSuppression {
  /** A stream of sound, from one rate to another (whole Hz). Must be freed. */
  open(options: { fromHz: number; toHz: number }): NoiseSuppressor;
}

/** What is left of one line when its steady noise is taken away. It gets used to the line, and stays so. */
export interface NoiseSuppressor {
  /** The next piece, of any length, about 20 ms late. The answer is only valid until the next call on this stream. */
  process(samples: Int16Array): Int16Array;
  /** Gives its memory back. Nothing else may be called afterwards. */
  free(): void;
}

/** Loads RNNoise: about 0.4 ms for a frame of 20 ms, so it has no place on the thread that paces sound. */
export async function loadNoiseSuppression(resampling: Resampling): Promise<NoiseSuppression> {
  const rnnoise = await loadModule();
  return { open: ({ fromHz, toHz }) => new RnnoiseStream(rnnoise, resampling, { fromHz, toHz }) };
}

class RnnoiseStream implements NoiseSuppressor {
  readonly #rnnoise: RnnoiseModule;
  readonly #state: number;
  /** In the module's memory: what comes in, and behind it what comes out. */
  readonly #pieceAt: number;
  readonly #up: Resampler;
  readonly #down: Resampler;
  #filledSamples = 0;
  /** What was made of the piece in hand, gathered outside the module's memory, which moves when it grows. */
  #gathered = new Int16Array(USUAL_SAMPLES);

  constructor(
    rnnoise: RnnoiseModule,
    resampling: Resampling,
    { fromHz, toHz }: { fromHz: number; toHz: number },
  ) {
    this.#rnnoise = rnnoise;
    this.#up = resampling.open({ fromHz, toHz: SUPPRESSED_RATE_HZ });
    this.#down = resampling.open({ fromHz: SUPPRESSED_RATE_HZ, toHz });
    this.#state = rnnoise._rnnoise_create(0);
    this.#pieceAt = rnnoise._malloc(2 * PIECE_BYTES);
  }

  process(samples: Int16Array): Int16Array {
    const wide = this.#up.process(samples);
    const mostSamples = this.#filledSamples + wide.length;
    if (mostSamples > this.#gathered.length) this.#gathered = new Int16Array(mostSamples);
    let gatheredSamples = 0;
    for (const sample of wide) {
      this.#rnnoise.HEAPF32[this.#pieceAt / 4 + this.#filledSamples++] = sample;
      if (this.#filledSamples === PIECE_SAMPLES) gatheredSamples = this.#suppress(gatheredSamples);
    }
    return this.#down.process(this.#gathered.subarray(0, gatheredSamples));
  }

  free(): void {
    this.#rnnoise._rnnoise_destroy(this.#state);
    this.#rnnoise._free(this.#pieceAt);
    this.#up.free();
    this.#down.free();
  }

  /** Makes of the piece that is full what is left of it, and adds that; returns how much there is now. */
  #suppress(gatheredSamples: number): number {
    const cleanAt = this.#pieceAt + PIECE_BYTES;
    this.#rnnoise._rnnoise_process_frame(this.#state, cleanAt, this.#pieceAt);
    this.#filledSamples = 0;
    const heap = this.#rnnoise.HEAPF32;
    for (let i = 0; i < PIECE_SAMPLES; i++) {
      const sample = Math.round(heap[cleanAt / 4 + i]!);
      this.#gathered[gatheredSamples + i] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE, sample));
    }
    return gatheredSamples + PIECE_SAMPLES;
  }
}
