/** A voiced frame is at least this much above the noise. Measured: 9 dB lost quiet talkers, 3 dB let noise through. */
const LEAST_ABOVE_NOISE_DB = 6;
/**
 * The lowest noise level (dB of full scale): no voice on a telephone line is that soft. Digital silence would be −∞.
 */
const LOWEST_NOISE_DB = -62;
/** The highest noise level assumed at the start, so that a caller who speaks at once does not count as noise. */
const HIGHEST_INITIAL_NOISE_DB = -45;

/**
 * The noise level is the minimum over the last 2.4 s, in slots of 100 ms: people do not speak that long without a gap.
 * During the first six slots of a call, the level is limited to {@link HIGHEST_INITIAL_NOISE_DB}.
 */
const FRAMES_PER_SLOT = 5;
const SLOTS = 24;
const SLOTS_BEFORE_TRUST = 6;
/** The minimum of many frames is about this much below the mean of steady noise, so it is added. */
const MINIMUM_BIAS_DB = 1.5;

/** Weight of a new frame in the smoothed level of the line. */
const LEVEL_WEIGHT = 0.4;
/** Weight of a new voiced frame in the smoothed level of the voice above the noise. */
const SNR_WEIGHT = 0.04;

const FULL_SCALE_SQUARED = 32768 * 32768;

/** Tracks the noise level of a line, and rejects frames that are not above it. Used by `VoiceDetector`. */
export interface NoiseGate {
  /** Takes one 20 ms frame and the verdict of the voice detector; true if the frame is a voice above the noise. */
  admit(frame: Int16Array, heardVoice: boolean): boolean;
  /** The present noise level, in dB of full scale. */
  readonly noiseDb: number;
  /** Level of the voice above the noise in dB, smoothed over about half a second of voice; null before any voice. */
  readonly snrDb: number | null;
  /** Resets to the state of a new line. */
  reset(): void;
}

/** Creates the gate of one line. */
export function createNoiseGate(): NoiseGate {
  return new LineGate();
}

/**
 * The numbers are fields of a class, which V8 changes in place: variables of a closure would allocate a number for each
 * frame.
 */
class LineGate implements NoiseGate {
  readonly #slotMinimumDb = new Float64Array(SLOTS).fill(Infinity);
  /** Index of the slot being filled. */
  #slot = 0;
  /** Number of slots filled since the start of the call. */
  #slotsFilled = 0;
  #framesInSlot = 0;
  /** The minimum of all slots except the one being filled. */
  #earlierMinimumDb = Infinity;
  /** Smoothed level of the line; NaN before the first frame. */
  #smoothDb = NaN;
  #noiseDb = LOWEST_NOISE_DB;
  /** Smoothed level of the voice above the noise; NaN before any voice. */
  #snrDb = NaN;

  admit(frame: Int16Array, heardVoice: boolean): boolean {
    const levelDb = frameLevelDb(frame);
    this.#followNoise(levelDb);
    const aboveDb = levelDb - this.#noiseDb;
    const isVoice = heardVoice && levelDb >= this.#noiseDb + LEAST_ABOVE_NOISE_DB;
    if (isVoice)
      this.#snrDb = Number.isNaN(this.#snrDb) ? aboveDb : this.#snrDb + SNR_WEIGHT * (aboveDb - this.#snrDb);
    return isVoice;
  }

  get noiseDb(): number {
    return this.#noiseDb;
  }

  get snrDb(): number | null {
    return Number.isNaN(this.#snrDb) ? null : this.#snrDb;
  }

  reset(): void {
    this.#slotMinimumDb.fill(Infinity);
    this.#slot = this.#slotsFilled = this.#framesInSlot = 0;
    this.#earlierMinimumDb = Infinity;
    this.#smoothDb = this.#snrDb = NaN;
    this.#noiseDb = LOWEST_NOISE_DB;
  }

  /** Updates the noise level by the level of a frame. */
  #followNoise(levelDb: number): void {
    const slots = this.#slotMinimumDb;
    const smoothDb = Number.isNaN(this.#smoothDb)
      ? levelDb
      : this.#smoothDb + LEVEL_WEIGHT * (levelDb - this.#smoothDb);
    this.#smoothDb = smoothDb;
    if (smoothDb < slots[this.#slot]!) slots[this.#slot] = smoothDb;
    const minimumDb = Math.min(this.#earlierMinimumDb, slots[this.#slot]!);
    const ceilingDb = this.#slotsFilled < SLOTS_BEFORE_TRUST ? HIGHEST_INITIAL_NOISE_DB : 0;
    this.#noiseDb = Math.min(Math.max(minimumDb + MINIMUM_BIAS_DB, LOWEST_NOISE_DB), ceilingDb);
    if (++this.#framesInSlot === FRAMES_PER_SLOT) this.#beginSlot();
  }

  /** Replaces the oldest slot by an empty one. */
  #beginSlot(): void {
    const slots = this.#slotMinimumDb;
    this.#framesInSlot = 0;
    this.#slotsFilled++;
    this.#slot = (this.#slot + 1) % SLOTS;
    slots[this.#slot] = Infinity;
    this.#earlierMinimumDb = Infinity;
    for (let i = 0; i < SLOTS; i++) this.#earlierMinimumDb = Math.min(this.#earlierMinimumDb, slots[i]!);
  }
}

/** Mean power of a frame in dB of full scale. */
function frameLevelDb(frame: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i++) sum += frame[i]! * frame[i]!;
  return 10 * Math.log10(sum / frame.length / FULL_SCALE_SQUARED + 1e-12);
}
