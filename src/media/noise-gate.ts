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
  const slotMinimumDb = new Float64Array(SLOTS).fill(Infinity);
  let slot = 0;
  let slotsHeard = 0;
  let framesInSlot = 0;
  /** Of all slots but the one that is being filled. */
  let earlierMinimumDb = Infinity;
  let smoothDb = NaN;
  let noiseDb = FLOOR_MIN_DB;
  let snrDb: number | null = null;

  const followNoise = (levelDb: number) => {
    smoothDb = Number.isNaN(smoothDb) ? levelDb : smoothDb + 0.4 * (levelDb - smoothDb);
    if (smoothDb < slotMinimumDb[slot]!) slotMinimumDb[slot] = smoothDb;
    const minimumDb = Math.min(earlierMinimumDb, slotMinimumDb[slot]!);
    const ceilingDb = slotsHeard < TRUSTED_SLOTS ? FLOOR_MAX_AT_START_DB : 0;
    noiseDb = Math.min(Math.max(minimumDb + MINIMUM_BIAS_DB, FLOOR_MIN_DB), ceilingDb);
    if (++framesInSlot < SLOT_FRAMES) return;
    framesInSlot = 0;
    slotsHeard++;
    slot = (slot + 1) % SLOTS;
    slotMinimumDb[slot] = Infinity;
    earlierMinimumDb = Infinity;
    for (let i = 0; i < SLOTS; i++) earlierMinimumDb = Math.min(earlierMinimumDb, slotMinimumDb[i]!);
  };

  return {
    admit(frame, heardVoice) {
      const levelDb = frameLevelDb(frame);
      followNoise(levelDb);
      const isVoice = heardVoice && levelDb >= noiseDb + GATE_DB;
      if (isVoice) snrDb = snrDb === null ? levelDb - noiseDb : snrDb + 0.04 * (levelDb - noiseDb - snrDb);
      return isVoice;
    },
    get noiseDb() {
      return noiseDb;
    },
    get snrDb() {
      return snrDb;
    },
    reset() {
      slotMinimumDb.fill(Infinity);
      slot = slotsHeard = framesInSlot = 0;
      earlierMinimumDb = Infinity;
      smoothDb = NaN;
      noiseDb = FLOOR_MIN_DB;
      snrDb = null;
    },
  };
}

/** Mean power of a frame in dB of full scale. */
function frameLevelDb(frame: Int16Array): number {
  let sum = 0;
  for (let i = 0; i < frame.length; i++) sum += frame[i]! * frame[i]!;
  return 10 * Math.log10(sum / frame.length / FULL_SCALE_SQUARED + 1e-12);
}
