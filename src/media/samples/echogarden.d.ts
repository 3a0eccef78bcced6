// The WASM builds of the voice detector, the resampler and RNNoise ship without types. Only the functions that the
// service calls are declared here.

/** Common to all three modules: the views of the heap, and its allocator. Growing the heap replaces the views. */
interface EchogardenHeap {
  readonly HEAP16: Int16Array;
  readonly HEAPU32: Uint32Array;
  readonly HEAPF32: Float32Array;
  _malloc(sizeBytes: number): number;
  _free(pointer: number): void;
}

declare module '@echogarden/fvad-wasm' {
  export interface FvadModule extends EchogardenHeap {
    _fvad_new(): number;
    _fvad_free(detector: number): void;
    _fvad_reset(detector: number): void;
    /** Modes: 0 (most frames are voice) to 3 (only clear speech is voice). Returns 0, or -1 for an invalid mode. */
    _fvad_set_mode(detector: number, mode: number): number;
    /** Returns 0, or -1 for a rate other than 8, 16, 32 or 48 kHz. */
    _fvad_set_sample_rate(detector: number, rateHz: number): number;
    /** Returns 1 for voice, 0 for none, -1 for a frame that is not 10, 20 or 30 ms long. */
    _fvad_process(detector: number, frame: number, lengthSamples: number): number;
  }
  const load: () => Promise<FvadModule>;
  export default load;
}

declare module '@echogarden/speex-resampler-wasm' {
  export interface SpeexModule extends EchogardenHeap {
    /** `quality`: 0 (fast) to 10 (best). `errorCode`: a pointer, or 0. Returns the state, 0 after a failure. */
    _speex_resampler_init(
      channels: number,
      fromHz: number,
      toHz: number,
      quality: number,
      errorCode: number,
    ): number;
    _speex_resampler_destroy(state: number): void;
    /**
     * The lengths are pointers to numbers of samples: before the call those available and the space for output,
     * afterwards those consumed and produced.
     */
    _speex_resampler_process_int(
      state: number,
      channel: number,
      input: number,
      inputLength: number,
      output: number,
      outputLength: number,
    ): number;
    /** The delay of the filter in input samples. */
    _speex_resampler_get_input_latency(state: number): number;
    /** Leaves out the silence by which the filter's delay would begin the output. */
    _speex_resampler_skip_zeros(state: number): number;
  }
  const load: () => Promise<SpeexModule>;
  export default load;
}

declare module '@echogarden/speex-resampler-wasm/simd' {
  export { default } from '@echogarden/speex-resampler-wasm';
}

declare module '@echogarden/rnnoise-wasm' {
  export interface RnnoiseModule extends EchogardenHeap {
    /** `model`: 0 for the built-in model. */
    _rnnoise_create(model: number): number;
    _rnnoise_destroy(state: number): void;
    /** 480 samples at 48 kHz, as floats in the 16-bit range. Returns the probability of a voice. */
    _rnnoise_process_frame(state: number, output: number, input: number): number;
  }
  const load: () => Promise<RnnoiseModule>;
  export default load;
}
