import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';

/** Answering machines beep somewhere in here; below it, every low voice looks like a tone. */
const LOWEST_HZ = 350;
const HIGHEST_HZ = 2_500;
/** A beep is at least this long; single notes of speech and music are shorter or wander. */
const SHORTEST_MS = 160;
/** How far its frequency may move from frame to frame. */
const STEADY_HZ = 12;
/** Quieter than this (mean square of −40 dBFS) nothing is looked at. */
const LEAST_POWER = (32_768 / 100) ** 2;
/** How much of the sound a single tone may leave unexplained. */
const REST_SHARE = 0.06;

/** Hears pure tones, such as that of an answering machine. */
export interface BeepDetector {
  /** One frame of 20 ms; true once for every beep, as soon as it is long enough. */
  hear(frame: Int16Array): boolean;
  /** Whether the last frame was part of a tone, however short. */
  readonly isTone: boolean;
}

/**
 * A pure tone is the one sound in which every sample follows from the two before it: x₊ = c·x − x₋, with
 * c = 2·cos(2πf/rate). The best c of a frame tells its frequency, and what it leaves unexplained whether it is a tone.
 * One pass over the samples; nothing is allocated.
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

/** The frequency of a frame that is one tone; 0 for any other. */
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
  // What the tone leaves, against what "as the sample before" leaves: low sounds foretell themselves well.
  const rest = sums - c * shared;
  const bend = sums - 4 * shared + 4 * own;
  return rest <= REST_SHARE * bend ? hz : 0;
}
