/** How far a frame must stand above the noise to count as voice. 9 dB lost quiet talkers, 3 dB let noise through. */
const GATE_DB = 6;
/** Below this (dB of full scale) nothing is a voice on a telephone line; also keeps digital silence off −∞. */
const FLOOR_MIN_DB = -62;
/** A line is taken to be at least this quiet until it was listened to, or a talker at once would be "the noise". */
const FLOOR_MAX_AT_START_DB = -45;

/** The floor is the quietest moment of the last 2.4 s: longer than people speak without a gap between two sounds. */
const SLOT_FRAMES = 5;
const SLOTS = 24;
const TRUSTED_SLOTS = 6;
/** The quietest of many moments lies this much below the mean of steady noise. */
const MINIMUM_BIAS_DB = 1.5;

const FULL_SCALE_SQUARED = 32768 * 32768;

/** Follows the noise of a line and holds back what does not stand out of it. */
export interface NoiseGate {
  /** One 20 ms frame and what the voice detector thinks of it: is it a voice above the noise? */
  admit(frame: Int16Array, heardVoice: boolean): boolean;
  readonly noiseDb: number;
  /** Voice above noise, smoothed over about half a second of voice; null before any voice. */
  readonly snrDb: number | null;
  reset(): void;
}

/** A gate in its first moment. All its memory is taken here. */
export function createNoiseGate(): NoiseGate {
  return new LineGate();
}

/** Numbers are fields, which change in place: captured variables that hold fractions are garbage with every frame. */
class LineGate implements NoiseGate {
  readonly #slotMinimumDb = new Float64Array(SLOTS).fill(Infinity);
  #slot = 0;
  #slotsHeard = 0;
  #framesInSlot = 0;
  /** Of all slots but the one that is being filled. */
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
