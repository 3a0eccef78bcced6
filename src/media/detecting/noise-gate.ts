/** A voiced frame stands this far above the noise. Measured: 9 dB lost quiet talkers, 3 dB let noise through. */
const GATE_DB = 6;
/**
 * Lower levels (dB of full scale) are never a voice on a telephone line; the limit also keeps digital silence off −∞.
 */
const FLOOR_MIN_DB = -62;
/** The highest noise level assumed at the start, or a caller who speaks at once would count as noise. */
const FLOOR_MAX_AT_START_DB = -45;

/** The noise level is the minimum over the last 2.4 s: people do not speak that long without a gap. */
const SLOT_FRAMES = 5;
const SLOTS = 24;
const TRUSTED_SLOTS = 6;
/** The minimum of many frames lies this much below the mean of steady noise. */
const MINIMUM_BIAS_DB = 1.5;

const FULL_SCALE_SQUARED = 32768 * 32768;

/** Tracks the noise level of a line and rejects frames that do not stand above it. */
export interface NoiseGate {
  /** Takes one 20 ms frame and the verdict of the voice detector; true if the frame is a voice above the noise. */
  admit(frame: Int16Array, heardVoice: boolean): boolean;
  readonly noiseDb: number;
  /** Level of the voice above the noise in dB, smoothed over about half a second of voice; null before any voice. */
  readonly snrDb: number | null;
  reset(): void;
}

export function createNoiseGate(): NoiseGate {
  return new LineGate();
}

/** Numbers are fields, changed in place: captured variables with fractions would be garbage with every frame. */
class LineGate implements NoiseGate {
  readonly #slotMinimumDb = new Float64Array(SLOTS).fill(Infinity);
  #slot = 0;
  #slotsHeard = 0;
  #framesInSlot = 0;
  /** The minimum of all slots except the one being filled. */
  #earlierMinimumDb = Infinity;
  /** NaN before the first frame. */
  #smoothDb = NaN;
  #noiseDb = FLOOR_MIN_DB;
  /** NaN before any voice. */
  #snrDb = NaN;

  admit(frame: Int16Array, heardVoice: boolean): boolean {
    const levelDb = frameLevelDb(frame);
    this.#followNoise(levelDb);
    const aboveDb = levelDb - this.#noiseDb;
    const isVoice = heardVoice && levelDb >= this.#noiseDb + GATE_DB;
    if (isVoice)
      this.#snrDb = Number.isNaN(this.#snrDb) ? aboveDb : this.#snrDb + 0.04 * (aboveDb - this.#snrDb);
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
    this.#slot = this.#slotsHeard = this.#framesInSlot = 0;
    this.#earlierMinimumDb = Infinity;
    this.#smoothDb = this.#snrDb = NaN;
    this.#noiseDb = FLOOR_MIN_DB;
  }

  #followNoise(levelDb: number): void {
    const slots = this.#slotMinimumDb;
    const smoothDb = Number.isNaN(this.#smoothDb)
      ? levelDb
      : this.#smoothDb + 0.4 * (levelDb - this.#smoothDb);
    this.#smoothDb = smoothDb;
    if (smoothDb < slots[this.#slot]!) slots[this.#slot] = smoothDb;
    const minimumDb = Math.min(this.#earlierMinimumDb, slots[this.#slot]!);
    const ceilingDb = this.#slotsHeard < TRUSTED_SLOTS ? FLOOR_MAX_AT_START_DB : 0;
    this.#noiseDb = Math.min(Math.max(minimumDb + MINIMUM_BIAS_DB, FLOOR_MIN_DB), ceilingDb);
    if (++this.#framesInSlot === SLOT_FRAMES) this.#beginSlot();
  }

  #beginSlot(): void {
    const slots = this.#slotMinimumDb;
    this.#framesInSlot = 0;
    this.#slotsHeard++;
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
