import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';

/** Beeps of answering machines lie between these frequencies. Below the lower one, deep voices look like tones. */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_500;
/** The shortest beep. In speech and music, a tone is usually shorter, or its frequency wanders. */
const SHORTEST_MS = 160;
/** The largest change of frequency from frame to frame within one beep. */
const LARGEST_STEP_HZ = 12;
/** Frames below this power (a mean square of −40 dBFS) are no tone. */
const LEAST_POWER = (32_768 / 100) ** 2;
/** The largest share of a frame's energy that the best single tone may leave unexplained. */
const LARGEST_RESIDUE_SHARE = 0.06;

/**
 * Detects pure tones of at least 160 ms, such as the beep of an answering machine. Used by answering-machine detection,
 * and by `UtteranceSegmenter`, so that a beep is not taken for speech.
 */
export interface BeepDetector {
  /** Takes one frame of 20 ms; true once per beep, as soon as the beep is long enough. */
  hear(frame: Int16Array): boolean;
  /** True if the last frame was a tone, however short the tone is so far. */
  readonly isTone: boolean;
}

/**
 * Creates the detector of one stream. In a pure tone of frequency f, every sample follows from the two before it:
 * x₊ = c·x − x₋, with c = 2·cos(2πf/rate). The c that fits a frame best (least squares) gives its frequency. The
 * residue, which c leaves unexplained, shows whether the frame is a tone. One pass over the samples, no allocation.
 */
export function createBeepDetector(rateHz: SampleRateHz): BeepDetector {
  let lastHz = 0;
  let steadyMs = 0;
  return {
    hear(frame) {
      const hz = toneOf(frame, rateHz);
      const isSameTone = hz > 0 && Math.abs(hz - lastHz) <= LARGEST_STEP_HZ;
      steadyMs = hz === 0 ? 0 : isSameTone ? steadyMs + FRAME_MS : FRAME_MS;
      lastHz = hz;
      return steadyMs === SHORTEST_MS;
    },
    get isTone() {
      return lastHz > 0;
    },
  };
}

/** The frequency in Hz of a frame that is one tone; 0 for any other frame. */
function toneOf(frame: Int16Array, rateHz: number): number {
  let energy = 0;
  let crossEnergy = 0;
  let neighbourEnergy = 0;
  for (let i = 1; i < frame.length - 1; i += 1) {
    const sample = frame[i]!;
    const neighbours = frame[i - 1]! + frame[i + 1]!;
    energy += sample * sample;
    crossEnergy += sample * neighbours;
    neighbourEnergy += neighbours * neighbours;
  }
  if (energy < LEAST_POWER * frame.length) return 0;
  const c = crossEnergy / energy;
  if (Math.abs(c) >= 2) return 0;
  const hz = (Math.acos(c / 2) * rateHz) / (2 * Math.PI);
  if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return 0;
  // The residue is compared with the energy of the second difference (x₋ − 2·x + x₊) instead of the frame's energy:
  // both are small for low sounds.
  const residue = neighbourEnergy - c * crossEnergy;
  const curvatureEnergy = neighbourEnergy - 4 * crossEnergy + 4 * energy;
  return residue <= LARGEST_RESIDUE_SHARE * curvatureEnergy ? hz : 0;
}
