/**
 * Lags of the autocorrelation in milliseconds. The values at these lags are the "colour" of a frame: they describe its
 * spectrum.
 */
const LAGS_MS = [0.625, 1.5, 2.875, 4.75] as const;
/** A frame is compared with the fifth voiced frame before it (100 ms): speech has changed its colour, a note not. */
const COMPARED_FRAMES = 5;
/** Two frames whose colours are closer than this are the same sound: the later frame is steady. */
const SAME_COLOUR = 0.15;
/** Windows of voiced frames: the last 2.4 s decide what a sound is, the last half second whether it still is. */
const LONG_WINDOW_FRAMES = 120;
const SHORT_WINDOW_FRAMES = 25;
/**
 * The share of steady frames in both windows. Measured: speech at most 0.53 ("say your name and why you are"), held
 * notes at least 0.6.
 */
const STEADY_SHARE = 0.6;

/**
 * Distinguishes sounds with a constant spectrum, such as the notes of music on hold, from speech, which changes with
 * every letter. Used by `VoiceDetector`.
 */
export interface ToneDetector {
  /** Takes the next voiced frame; true if it belongs to a steady sound. */
  hear(frame: Int16Array): boolean;
  /** The last answer of `hear`. */
  readonly isSteady: boolean;
  /** Resets to the state of a new line. */
  reset(): void;
}

/** A detector for one line. All memory is allocated here; a frame costs about a microsecond. */
export function createToneDetector(sampleRateHz: number): ToneDetector {
  const lags = LAGS_MS.map((lagMs) => Math.round((lagMs * sampleRateHz) / 1000));
  const colours = new Float64Array(lags.length * COMPARED_FRAMES);
  const steadyFlags = new Uint8Array(LONG_WINDOW_FRAMES);
  let frames = 0;
  // Steady frames in the long window, and in the short window.
  let longCount = 0;
  let shortCount = 0;
  let isSteady = false;

  /** Replaces the oldest colour by that of a frame; returns the distance between the two. */
  const replaceColour = (frame: Int16Array): number => {
    const offset = (frames % COMPARED_FRAMES) * lags.length;
    // Starts at 1, so that digital silence is not divided by zero.
    let power = 1;
    for (let i = 0; i < frame.length; i += 1) power += frame[i]! * frame[i]!;
    let sum = 0;
    for (let lagIndex = 0; lagIndex < lags.length; lagIndex += 1) {
      const lag = lags[lagIndex]!;
      let correlation = 0;
      for (let i = lag; i < frame.length; i += 1) correlation += frame[i]! * frame[i - lag]!;
      const colour = correlation / power;
      sum += (colour - colours[offset + lagIndex]!) ** 2;
      colours[offset + lagIndex] = colour;
    }
    return Math.sqrt(sum / lags.length);
  };

  return {
    hear(frame) {
      const isSame = replaceColour(frame) < SAME_COLOUR ? 1 : 0;
      const oldestInLongWindow = frames % LONG_WINDOW_FRAMES;
      const oldestInShortWindow = (frames + LONG_WINDOW_FRAMES - SHORT_WINDOW_FRAMES) % LONG_WINDOW_FRAMES;
      longCount += isSame - steadyFlags[oldestInLongWindow]!;
      shortCount += isSame - steadyFlags[oldestInShortWindow]!;
      steadyFlags[oldestInLongWindow] = isSame;
      frames += 1;
      isSteady =
        frames >= LONG_WINDOW_FRAMES &&
        longCount >= STEADY_SHARE * LONG_WINDOW_FRAMES &&
        shortCount >= STEADY_SHARE * SHORT_WINDOW_FRAMES;
      return isSteady;
    },
    get isSteady() {
      return isSteady;
    },
    reset() {
      colours.fill(0);
      steadyFlags.fill(0);
      frames = longCount = shortCount = 0;
      isSteady = false;
    },
  };
}
