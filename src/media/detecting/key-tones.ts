import type { SampleRateHz } from '#media/samples/audio.js';

/** The keys of a telephone, row by row (ITU-T Q.23). */
const KEYPAD = ['123A', '456B', '789C', '*0#D'];
/** What each row and each column of them sounds like, in hertz (ITU-T Q.23). */
export const ROW_HZ = [697, 770, 852, 941] as const;
export const COLUMN_HZ = [1209, 1336, 1477, 1633] as const;

/** The key that sounds like this row and column together. */
export function keyAt(row: number, column: number): string {
  return KEYPAD[row]![column]!;
}

/** In keys to be pressed: half a second of nothing. */
const PAUSE = 'w';
const PAUSE_MS = 500;
/** Well above the 40 ms that ITU-T Q.24 lets receivers ask for, as slow ones and lossy lines like it. */
const TONE_MS = 100;
const BETWEEN_MS = 100;
/** Clicks have every frequency, also those of other keys. */
const RAMP_MS = 3;
/**
 * The peak of each of the two: the pair is as loud as a sine of −8 dBFS, about −8 dBm0 for each (ETSI ES 201 235-2),
 * and its peaks stay 5 dB below the largest sample.
 */
const PEAK = Math.round(32_768 * 10 ** (-8 / 20) * Math.SQRT1_2);

/** How long it takes to press keys, the pause after the last one included. */
export function pressingMs(keys: string): number {
  let totalMs = 0;
  for (const key of keys) totalMs += key === PAUSE ? PAUSE_MS : TONE_MS + BETWEEN_MS;
  return totalMs;
}

/**
 * One press of a key (0-9, A-D, *, #) as the line carries it: two tones at once, and a pause. `w` is a longer pause.
 * The length is a whole number of frames.
 */
export function keySound(key: string, sampleRateHz: SampleRateHz): Int16Array {
  const sound = new Int16Array((pressingMs(key) * sampleRateHz) / 1000);
  const row = KEYPAD.findIndex((keys) => keys.includes(key));
  if (row < 0) return sound;
  const low = (2 * Math.PI * ROW_HZ[row]!) / sampleRateHz;
  const high = (2 * Math.PI * COLUMN_HZ[KEYPAD[row]!.indexOf(key)]!) / sampleRateHz;
  const length = (TONE_MS * sampleRateHz) / 1000;
  const ramp = (RAMP_MS * sampleRateHz) / 1000;
  for (let at = 0; at < length; at += 1) {
    const inside = Math.min(1, (at + 1) / ramp, (length - at) / ramp);
    const gain = (PEAK * (1 - Math.cos(Math.PI * inside))) / 2;
    sound[at] = Math.round(gain * (Math.sin(low * at) + Math.sin(high * at)));
  }
  return sound;
}
