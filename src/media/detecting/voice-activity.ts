import loadFvad, { type FvadModule } from '@echogarden/fvad-wasm';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createNoiseGate } from './noise-gate.js';
import { createToneDetector } from './tone-detector.js';

/**
 * WebRTC's "aggressive" mode. Measured: with the noise gate it finds every utterance down to 10 dB above pink noise.
 */
const FVAD_MODE = 2;

/**
 * Voice activity detection for all calls: WebRTC's detector (one WASM instance, a small state per call), a noise gate
 * and a detector for music. `UtteranceSegmenter` and `CallerVoice` open a detector for their endpoint detection.
 */
export interface VoiceActivity {
  /** Opens a detector for one direction of one call. Must be freed. */
  open(sampleRateHz: SampleRateHz): VoiceDetector;
}

/** Distinguishes speech from other sounds, frame by frame, without allocation. */
export interface VoiceDetector {
  readonly sampleRateHz: SampleRateHz;
  /** Takes one frame of exactly 20 ms; true if it is speech. */
  isVoice(frame: Int16Array): boolean;
  /** Smoothed level of the voice above the noise in dB; null before any voice. */
  readonly snrDb: number | null;
  /** True while music or another steady sound plays, which is not a voice. It is noticed after about 2.4 s. */
  readonly isSteady: boolean;
  /** Resets to the state after `open`. */
  reset(): void;
  /** Frees the memory. May be called twice; `isVoice` throws afterwards. */
  free(): void;
}

/** Loads the detector's WASM module (about 2 ms). */
export async function loadVoiceActivity(): Promise<VoiceActivity> {
  const fvad = await loadFvad();
  // The frames of all calls pass through one buffer in the module's memory, one after the other.
  const frameAt = fvad._malloc(frameSamples(16000) * Int16Array.BYTES_PER_ELEMENT);
  return { open: (sampleRateHz) => openDetector(fvad, frameAt, sampleRateHz) };
}

function openDetector(fvad: FvadModule, frameAt: number, sampleRateHz: SampleRateHz): VoiceDetector {
  const lengthSamples = frameSamples(sampleRateHz);
  const gate = createNoiseGate();
  const toneDetector = createToneDetector(sampleRateHz);
  // Kept in a variable: the module object is a slow dictionary for V8.
  const fvadProcess = fvad._fvad_process;
  let memory = fvad.HEAP16;
  let detector = fvad._fvad_new();
  const configure = () => {
    fvad._fvad_set_mode(detector, FVAD_MODE);
    fvad._fvad_set_sample_rate(detector, sampleRateHz);
  };
  configure();
  return {
    sampleRateHz,
    isVoice(frame) {
      if (frame.length !== lengthSamples) {
        throw new RangeError(`a frame is ${lengthSamples} samples (${FRAME_MS} ms), not ${frame.length}`);
      }
      if (detector === 0) throw new Error('the detector was freed');
      // A buffer of length 0 is detached: the memory has grown for another call.
      if (memory.length === 0) memory = fvad.HEAP16;
      // The address is in bytes, the index in samples of two bytes.
      memory.set(frame, frameAt >> 1);
      const heardVoice = fvadProcess(detector, frameAt, lengthSamples) === 1;
      return gate.admit(frame, heardVoice) && !toneDetector.hear(frame);
    },
    get snrDb() {
      return gate.snrDb;
    },
    get isSteady() {
      return toneDetector.isSteady;
    },
    reset() {
      fvad._fvad_reset(detector);
      // A reset also clears mode and rate.
      configure();
      gate.reset();
      toneDetector.reset();
    },
    free() {
      if (detector !== 0) fvad._fvad_free(detector);
      detector = 0;
    },
  };
}
