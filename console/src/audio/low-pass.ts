// Sound at the rate of a device, given at another rate: what lies above the band of a lower rate is taken away first,
// since it would come back as a whistle.

const TAPS = 48;

/** Blackman-windowed sinc, scaled to pass a steady level unchanged. */
function lowPassTaps(cutoff: number): Float32Array {
  const taps = new Float32Array(TAPS + 1);
  let sum = 0;
  for (let index = 0; index <= TAPS; index++) {
    const offset = index - TAPS / 2;
    const sinc = offset === 0 ? 2 * cutoff : Math.sin(2 * Math.PI * cutoff * offset) / (Math.PI * offset);
    const phase = (2 * Math.PI * index) / TAPS;
    taps[index] = sinc * (0.42 - 0.5 * Math.cos(phase) + 0.08 * Math.cos(2 * phase));
    sum += taps[index]!;
  }
  return taps.map((tap) => tap / sum);
}

/** Changes the rate of a stream of samples, from block to block without a seam. */
export class Resampler {
  readonly #step: number;
  readonly #taps: Float32Array;
  readonly #history: Float32Array;
  #before = 0;
  #position = 0;

  constructor(fromRate: number, toRate: number) {
    this.#step = fromRate / toRate;
    // A little below half of the lower rate, for the slope of the filter.
    this.#taps = lowPassTaps(Math.min(0.5, (0.45 * toRate) / fromRate));
    this.#history = new Float32Array(this.#taps.length);
  }

  push(block: Float32Array, emit: (sample: number) => void): void {
    for (const sample of block) {
      const filtered = this.#step > 1 ? this.#filter(sample) : sample;
      while (this.#position < 1) {
        emit(this.#before + (filtered - this.#before) * this.#position);
        this.#position += this.#step;
      }
      this.#position -= 1;
      this.#before = filtered;
    }
  }

  #filter(sample: number): number {
    this.#history.copyWithin(0, 1);
    this.#history[this.#history.length - 1] = sample;
    let sum = 0;
    for (let index = 0; index < this.#taps.length; index++) sum += this.#taps[index]! * this.#history[index]!;
    return sum;
  }
}
