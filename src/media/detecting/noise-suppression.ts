import loadModule, { type RnnoiseModule } from '@echogarden/rnnoise-wasm';
import type { Resampler, Resampling } from '#media/samples/resampler.js';

/** RNNoise works at this rate only, 10 ms at a time. */
const RNNOISE_RATE_HZ = 48_000;
const BLOCK_SAMPLES = 480;
const BLOCK_BYTES = BLOCK_SAMPLES * Float32Array.BYTES_PER_ELEMENT;
/** Initial size of the output: more than one frame of telephone audio yields. It grows for longer input. */
const INITIAL_SAMPLES = 4 * BLOCK_SAMPLES;

const FULL_SCALE = 32_767;

/** Noise suppression for all calls of a thread: one WASM module and about 100 kB of state per stream. */
export interface NoiseSuppression {
  /** Opens a stream that also resamples, from one rate to another (whole Hz). Must be freed. */
  open(options: { fromHz: number; toHz: number }): NoiseSuppressor;
}

/** Removes the steady noise of one line before the built-in recogniser gets its audio. The model adapts to the line. */
export interface NoiseSuppressor {
  /** Takes audio of any length; returns it cleaned and about 20 ms late, valid until the next call on this stream. */
  process(samples: Int16Array): Int16Array;
  /** Frees the memory of the stream, which cannot be used afterwards. */
  free(): void;
}

/**
 * Loads RNNoise. It takes about 0.4 ms for a frame of 20 ms, so it must not run on the thread that paces audio. Used on
 * the threads of the built-in recogniser.
 */
export async function loadNoiseSuppression(resampling: Resampling): Promise<NoiseSuppression> {
  const rnnoise = await loadModule();
  return { open: ({ fromHz, toHz }) => new RnnoiseStream(rnnoise, resampling, { fromHz, toHz }) };
}

class RnnoiseStream implements NoiseSuppressor {
  readonly #rnnoise: RnnoiseModule;
  /** Address of the stream's state in the module's memory. */
  readonly #state: number;
  /** Address in the module's memory: an input block of 10 ms, followed by an output block. */
  readonly #blockAt: number;
  readonly #up: Resampler;
  readonly #down: Resampler;
  /** Samples in the input block. */
  #filledSamples = 0;
  /** Output, gathered outside the module's memory, which moves when it grows. */
  #gathered = new Int16Array(INITIAL_SAMPLES);

  constructor(
    rnnoise: RnnoiseModule,
    resampling: Resampling,
    { fromHz, toHz }: { fromHz: number; toHz: number },
  ) {
    this.#rnnoise = rnnoise;
    this.#up = resampling.open({ fromHz, toHz: RNNOISE_RATE_HZ });
    this.#down = resampling.open({ fromHz: RNNOISE_RATE_HZ, toHz });
    this.#state = rnnoise._rnnoise_create(0);
    this.#blockAt = rnnoise._malloc(2 * BLOCK_BYTES);
  }

  process(samples: Int16Array): Int16Array {
    const wide = this.#up.process(samples);
    const mostSamples = this.#filledSamples + wide.length;
    if (mostSamples > this.#gathered.length) this.#gathered = new Int16Array(mostSamples);
    let gatheredSamples = 0;
    for (const sample of wide) {
      // The address is in bytes; the heap view has an index per float of four bytes.
      this.#rnnoise.HEAPF32[this.#blockAt / 4 + this.#filledSamples++] = sample;
      if (this.#filledSamples === BLOCK_SAMPLES) gatheredSamples = this.#suppress(gatheredSamples);
    }
    return this.#down.process(this.#gathered.subarray(0, gatheredSamples));
  }

  free(): void {
    this.#rnnoise._rnnoise_destroy(this.#state);
    this.#rnnoise._free(this.#blockAt);
    this.#up.free();
    this.#down.free();
  }

  /** Processes the full input block and appends the result; returns the new length of the output. */
  #suppress(gatheredSamples: number): number {
    const cleanAt = this.#blockAt + BLOCK_BYTES;
    this.#rnnoise._rnnoise_process_frame(this.#state, cleanAt, this.#blockAt);
    this.#filledSamples = 0;
    const heap = this.#rnnoise.HEAPF32;
    for (let i = 0; i < BLOCK_SAMPLES; i++) {
      const sample = Math.round(heap[cleanAt / 4 + i]!);
      this.#gathered[gatheredSamples + i] = Math.max(-FULL_SCALE, Math.min(FULL_SCALE, sample));
    }
    return gatheredSamples + BLOCK_SAMPLES;
  }
}
