/** At these distances (milliseconds) a frame is compared with itself: their likeness is the colour of its sound. */
const LAGS_MS = [0.625, 1.5, 2.875, 4.75] as const;
/** Speech has another colour after so many voiced frames (100 ms), a note has not. */
const GAP_FRAMES = 5;
/** Colours nearer to each other than this are one. */
const SAME_COLOUR = 0.15;
/** Looked at: the last 2.4 s of voiced frames for what a sound is, the last half second for whether it still is. */
const LONG_FRAMES = 120;
const SHORT_FRAMES = 25;
/**
 * So many of them must be steady. Of speech at most 0.53 were ("say your name and why you are"), of held notes at least
 * 0.6.
 */
const STEADY_SHARE = 0.6;

/** Tells sound that keeps its colour, such as music on hold, from speech, which changes with every letter. */
export interface SteadySound {
  /** Takes the next frame that could be a voice; is it part of a steady sound? */
  hear(frame: Int16Array): boolean;
  /** What `hear` said last. */
  readonly isSteady: boolean;
  reset(): void;
}

/** All its memory is taken here; a frame costs about a microsecond. */
export function createSteadySound(sampleRateHz: number): SteadySound {
  const lags = LAGS_MS.map((lagMs) => Math.round((lagMs * sampleRateHz) / 1000));
  const colours = new Float64Array(lags.length * GAP_FRAMES);
  const steady = new Uint8Array(LONG_FRAMES);
  let frames = 0;
  let longCount = 0;
  let shortCount = 0;
  let isSteady = false;

  /** Puts the colour of a frame in the place of the oldest one; returns how far they are apart. */
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
