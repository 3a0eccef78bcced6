import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';

/** Beeps of answering machines lie in this range; below it, low voices look like tones. */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_500;
/** The shortest beep. Single notes of speech and music are shorter, or their frequency wanders. */
const SHORTEST_MS = 160;
/** The largest change of frequency from frame to frame within one beep. */
const STEADY_HZ = 12;
/** Frames below this power (mean square of −40 dBFS) are ignored. */
const LEAST_POWER = (32_768 / 100) ** 2;
/** The largest share of a frame's energy that a single tone may leave unexplained. */
const REST_SHARE = 0.06;

/** Detects pure tones, such as the beep of an answering machine. */
export interface BeepDetector {
  /** Takes one frame of 20 ms; true once per beep, as soon as the beep is long enough. */
  hear(frame: Int16Array): boolean;
  /** True if the last frame was part of a tone of any length. */
  readonly isTone: boolean;
}

/**
 * A pure tone is the only sound in which every sample follows from the two before it: x₊ = c·x − x₋, with c =
 * 2·cos(2πf/rate). The best c of a frame gives its frequency; the rest that c leaves unexplained shows whether the
 * frame is a tone. One pass over the samples, no allocation.
 */
export function createBeepDetector(rateHz: SampleRateHz): BeepDetector {
  let lastHz = 0;
  let steadyMs = 0;
  return {
    hear(frame) {
      const hz = toneOf(frame, rateHz);
      const goesOn = hz > 0 && Math.abs(hz - lastHz) <= STEADY_HZ;
      steadyMs = hz === 0 ? 0 : goesOn ? steadyMs + FRAME_MS : FRAME_MS;
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
  let own = 0;
  let shared = 0;
  let sums = 0;
  for (let i = 1; i < frame.length - 1; i += 1) {
    const now = frame[i]!;
    const around = frame[i - 1]! + frame[i + 1]!;
    own += now * now;
    shared += now * around;
    sums += around * around;
  }
  if (own < LEAST_POWER * frame.length) return 0;
  const c = shared / own;
  if (Math.abs(c) >= 2) return 0;
  const hz = (Math.acos(c / 2) * rateHz) / (2 * Math.PI);
  if (hz < LOWEST_HZ || hz > HIGHEST_HZ) return 0;
  // The rest is compared with that of the predictor "as the sample before", which is small for low sounds as well.
  const rest = sums - c * shared;
  const bend = sums - 4 * shared + 4 * own;
  return rest <= REST_SHARE * bend ? hz : 0;
}
