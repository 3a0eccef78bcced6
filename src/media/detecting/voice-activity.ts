import loadFvad, { type FvadModule } from '@echogarden/fvad-wasm';
import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createNoiseGate } from './noise-gate.js';
import { createSteadySound } from './steady-sound.js';

/** WebRTC's "aggressive": with the noise gate in front it found every utterance down to 10 dB of pink noise. */
const FVAD_MODE = 2;

/** Voice activity for all calls: one WASM instance, one small state for each call. */
export interface VoiceActivity {
  /** A detector for one direction of one call. Must be freed. */
  open(sampleRateHz: SampleRateHz): VoiceDetector;
}

/** Tells speech from everything else, frame by frame. Nothing is allocated while it runs. */
export interface VoiceDetector {
  readonly sampleRateHz: SampleRateHz;
  /** One frame of exactly 20 ms. */
  isVoice(frame: Int16Array): boolean;
  /** How far the last voiced frames stood above the noise, in dB, smoothed; null before any voice. */
  readonly snrDb: number | null;
  /** What sounds now is music, or another sound that keeps its colour: it is no voice. Known after about 2.4 s. */
  readonly isSteady: boolean;
  /** Forgets everything heard, as if just opened. */
  reset(): void;
  /** Gives its memory back. Harmless twice; `isVoice` must not be called afterwards. */
  free(): void;
}

/** Loads the detector's WASM module (about 2 ms). */
export async function loadVoiceActivity(): Promise<VoiceActivity> {
  const fvad = await loadFvad();
  // Frames of all calls pass through one piece of the module's memory, one after the other.
  const frameAt = fvad._malloc(frameSamples(16000) * Int16Array.BYTES_PER_ELEMENT);
  return { open: (sampleRateHz) => openDetector(fvad, frameAt, sampleRateHz) };
}

function openDetector(fvad: FvadModule, frameAt: number, sampleRateHz: SampleRateHz): VoiceDetector {
  const lengthSamples = frameSamples(sampleRateHz);
  const gate = createNoiseGate();
  const steadySound = createSteadySound(sampleRateHz);
  // The module is a dictionary, in which looking something up takes its time.
  const isSpoken = fvad._fvad_process;
  let memory = fvad.HEAP16;
  let detector = fvad._fvad_new();
  const prepare = () => {
    fvad._fvad_set_mode(detector, FVAD_MODE);
    fvad._fvad_set_sample_rate(detector, sampleRateHz);
  };
  prepare();
  return {
    sampleRateHz,
    isVoice(frame) {
      if (frame.length !== lengthSamples) {
        throw new RangeError(`a frame is ${lengthSamples} samples (${FRAME_MS} ms), not ${frame.length}`);
      }
      if (detector === 0) throw new Error('the detector was freed');
      // Where it has grown for other calls, it is another one.
      if (memory.length === 0) memory = fvad.HEAP16;
      memory.set(frame, frameAt >> 1);
      const heardVoice = isSpoken(detector, frameAt, lengthSamples) === 1;
      return gate.admit(frame, heardVoice) && !steadySound.hear(frame);
    },
    get snrDb() {
      return gate.snrDb;
    },
    get isSteady() {
      return steadySound.isSteady;
    },
    reset() {
      fvad._fvad_reset(detector);
      // Resetting also forgets mode and rate.
      prepare();
      gate.reset();
      steadySound.reset();
    },
    free() {
      if (detector !== 0) fvad._fvad_free(detector);
      detector = 0;
    },
  };
}
