/** Samples from this value on count as full scale; the loudest μ-law step is 32,124. */
const FULL_SCALE = 32_000;
/** A frame with this many samples at full scale crackles audibly. */
const CLIPPED_SAMPLES = 3;

/**
 * Quality of the caller's audio for the call's `audio_quality`, 0 to 1, as docs/decisions.md defines it: the share of
 * 20 ms frames that arrived at most 60 ms late and were not clipped. 0 if no frame ever arrived. Used by `Channel`.
 */
export class AudioQuality {
  #frames = 0;
  #goodFrames = 0;

  /** Takes the caller's frame of one tick; null if the frame did not arrive in time. */
  countFrame(frame: Int16Array | null): void {
    this.#frames += 1;
    if (frame && !isClipped(frame)) this.#goodFrames += 1;
  }

  /** Rounded to three decimals. */
  get score(): number {
    return this.#frames === 0 ? 0 : Math.round((1000 * this.#goodFrames) / this.#frames) / 1000;
  }
}

/** True if so many samples are at full scale that the frame crackles. */
function isClipped(frame: Int16Array): boolean {
  let clippedSamples = 0;
  for (let index = 0; index < frame.length; index += 1) {
    const sample = frame[index]!;
    if (sample >= FULL_SCALE || sample <= -FULL_SCALE) clippedSamples += 1;
  }
  return clippedSamples >= CLIPPED_SAMPLES;
}
