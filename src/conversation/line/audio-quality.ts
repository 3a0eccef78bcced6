/** Telephone sound at full scale: the loudest step of μ-law is 32,124. */
const FULL_SCALE = 32_000;
/** So many samples at full scale in one frame are heard as a crackle. */
const CLIPPED_SAMPLES = 3;

/**
 * The quality of what we got to hear, 0 to 1 (our choice; Interface: call metrics): the share of the caller's 20 ms
 * frames that arrived in time (no more than 60 ms late) and were not clipped. 0 when nothing ever arrived.
 */
export class AudioQuality {
  #frames = 0;
  #good = 0;

  /** The caller's frame of one tick; null when it was not there in time. */
  judge(frame: Int16Array | null): void {
    this.#frames += 1;
    if (frame && !isClipped(frame)) this.#good += 1;
  }

  /** Three decimals. */
  get score(): number {
    return this.#frames === 0 ? 0 : Math.round((1000 * this.#good) / this.#frames) / 1000;
  }
}

function isClipped(frame: Int16Array): boolean {
  let loud = 0;
  for (let index = 0; index < frame.length; index += 1) {
    const sample = frame[index]!;
    if (sample >= FULL_SCALE || sample <= -FULL_SCALE) loud += 1;
  }
  return loud >= CLIPPED_SAMPLES;
}
