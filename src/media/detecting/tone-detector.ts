/** Lags of the autocorrelation in milliseconds; the values at these lags describe the spectral colour of a frame. */
const LAGS_MS = [0.625, 1.5, 2.875, 4.75] as const;
/** Frames are compared over this distance (100 ms): by then speech has another colour, a held note has not. */
const GAP_FRAMES = 5;
/** Colours closer than this count as the same. */
const SAME_COLOUR = 0.15;
/** Windows of voiced frames: the last 2.4 s decide what a sound is, the last half second whether it still is. */
const LONG_FRAMES = 120;
const SHORT_FRAMES = 25;
/**
 * The share of steady frames in both windows. Measured: speech at most 0.53 ("say your name and why you are"), held
 * notes at least 0.6.
 */
const STEADY_SHARE = 0.6;

/** Distinguishes sounds with a constant colour, such as music on hold, from speech, which changes with every letter. */
export interface ToneDetector {
  /** Takes the next voiced frame; true if it belongs to a steady sound. */
  hear(frame: Int16Array): boolean;
  /** The last answer of `hear`. */
  readonly isSteady: boolean;
  reset(): void;
}

/** All memory is allocated here; a frame costs about a microsecond. */
export function createToneDetector(sampleRateHz: number): ToneDetector {
  const lags = LAGS_MS.map((lagMs) => Math.round((lagMs * sampleRateHz) / 1000));
  const colours = new Float64Array(lags.length * GAP_FRAMES);
  const steady = new Uint8Array(LONG_FRAMES);
  let frames = 0;
  let longCount = 0;
  let shortCount = 0;
  let isSteady = false;

  /** Replaces the oldest colour by that of a frame; returns the distance between the two. */
  const distance = (frame: Int16Array): number => {
    const place = (frames % GAP_FRAMES) * lags.length;
    let power = 1;
    for (let i = 0; i < frame.length; i += 1) power += frame[i]! * frame[i]!;
    let sum = 0;
    for (let of = 0; of < lags.length; of += 1) {
      const lag = lags[of]!;
      let likeness = 0;
      for (let i = lag; i < frame.length; i += 1) likeness += frame[i]! * frame[i - lag]!;
      const colour = likeness / power;
      sum += (colour - colours[place + of]!) ** 2;
      colours[place + of] = colour;
    }
    return Math.sqrt(sum / lags.length);
  };

  return {
    hear(frame) {
      const isSame = distance(frame) < SAME_COLOUR ? 1 : 0;
      const oldest = frames % LONG_FRAMES;
      const older = (frames + LONG_FRAMES - SHORT_FRAMES) % LONG_FRAMES;
      longCount += isSame - steady[oldest]!;
      shortCount += isSame - steady[older]!;
      steady[oldest] = isSame;
      frames += 1;
      isSteady =
        frames >= LONG_FRAMES &&
        longCount >= STEADY_SHARE * LONG_FRAMES &&
        shortCount >= STEADY_SHARE * SHORT_FRAMES;
      return isSteady;
    },
    get isSteady() {
      return isSteady;
    },
    reset() {
      colours.fill(0);
      steady.fill(0);
      frames = longCount = shortCount = 0;
      isSteady = false;
    },
  };
}
