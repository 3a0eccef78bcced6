import type { SampleRateHz } from '#media/samples/audio.js';

/*
 * DTMF, the tones of telephone keys: generates them, and detects them in audio. `DtmfSender` of a conversation sends
 * keys and recognises their echo; the simulated callees of the sandbox detect the keys that an agent sends. The keys of
 * a real caller arrive as messages of the carrier.
 */

/** The keypad, row by row (ITU-T Q.23). */
const KEYPAD = ['123A', '456B', '789C', '*0#D'];
/** Frequencies of the rows and the columns in hertz (ITU-T Q.23). */
const ROW_HZ = [697, 770, 852, 941] as const;
const COLUMN_HZ = [1209, 1336, 1477, 1633] as const;

/** The digit whose tone has the frequencies of this row and this column. */
function digitAt(row: number, column: number): string {
  return KEYPAD[row]![column]!;
}

/** The character for a pause of half a second in a string of digits. */
const PAUSE = 'w';
const PAUSE_MS = 500;
/** Length of a tone. ITU-T Q.24 requires receivers to detect 40 ms, but slow receivers and lossy lines need more. */
const TONE_MS = 100;
/** Length of the silence after a tone. */
const GAP_MS = 100;
/** The ramp at both ends avoids clicks, which contain every frequency, those of other digits too. */
const RAMP_MS = 3;
/**
 * Peak of each of the two tones: the pair is as loud as a sine of −8 dBFS, about −8 dBm0 each (ETSI ES 201 235-2), and
 * its peaks stay 5 dB below full scale.
 */
const PEAK = Math.round(32_768 * 10 ** (-8 / 20) * Math.SQRT1_2);

/** The time in milliseconds that sending `digits` takes, including the pause after the last one. */
export function dtmfDurationMs(digits: string): number {
  let totalMs = 0;
  for (const digit of digits) totalMs += digit === PAUSE ? PAUSE_MS : TONE_MS + GAP_MS;
  return totalMs;
}

/**
 * The audio of one DTMF digit (0-9, A-D, *, #): the tone pair and a gap; `w` is half a second of silence. The length is
 * a whole number of frames.
 */
export function dtmfTone(digit: string, sampleRateHz: SampleRateHz): Int16Array {
  const samples = new Int16Array((dtmfDurationMs(digit) * sampleRateHz) / 1000);
  const row = KEYPAD.findIndex((digits) => digits.includes(digit));
  if (row < 0) return samples;
  const lowRadians = (2 * Math.PI * ROW_HZ[row]!) / sampleRateHz;
  const highRadians = (2 * Math.PI * COLUMN_HZ[KEYPAD[row]!.indexOf(digit)]!) / sampleRateHz;
  const length = (TONE_MS * sampleRateHz) / 1000;
  const ramp = (RAMP_MS * sampleRateHz) / 1000;
  for (let at = 0; at < length; at += 1) {
    const rampShare = Math.min(1, (at + 1) / ramp, (length - at) / ramp);
    const gain = (PEAK * (1 - Math.cos(Math.PI * rampShare))) / 2;
    samples[at] = Math.round(gain * (Math.sin(lowRadians * at) + Math.sin(highRadians * at)));
  }
  return samples;
}

/** The softest level of a DTMF tone that is detected (RMS, −50 dBFS). */
const SOFTEST_RMS = 100;
/** The smallest share of a frame's energy in its two DTMF tones; a voice has overtones as well. */
const LEAST_SHARE = 0.75;
/** The largest difference of level between the two tones: 8 dB, the most that ITU-T Q.24 allows. */
const LARGEST_TWIST = 10 ** (8 / 10);
/** The shortest tone that counts, in frames: 40 ms (ITU-T Q.24). */
const SHORTEST_FRAMES = 2;

/** Detects DTMF tones (ITU-T Q.23) in frames of 20 ms. */
export interface DtmfDetector {
  /** The DTMF digit that sounds in this frame; null for none. */
  digitIn(frame: Int16Array): string | null;
}

/** A detector with Goertzel filters at the eight frequencies; no allocation per frame. */
export function createDtmfDetector(sampleRateHz: SampleRateHz): DtmfDetector {
  const coefficients = (hertz: readonly number[]) =>
    hertz.map((hz) => 2 * Math.cos((2 * Math.PI * hz) / sampleRateHz));
  const rows = coefficients(ROW_HZ);
  const columns = coefficients(COLUMN_HZ);
  const loudest = { at: 0, power: 0 };
  return {
    digitIn(frame) {
      let energy = 0;
      for (let at = 0; at < frame.length; at += 1) energy += frame[at]! * frame[at]!;
      if (energy < SOFTEST_RMS * SOFTEST_RMS * frame.length) return null;
      const { at: row, power: low } = findLoudest(frame, rows, loudest);
      const { at: column, power: high } = findLoudest(frame, columns, loudest);
      if (low > LARGEST_TWIST * high || high > LARGEST_TWIST * low) return null;
      // A sine of the whole frame has the power `energy * length / 2`.
      return low + high >= (LEAST_SHARE * energy * frame.length) / 2 ? digitAt(row, column) : null;
    },
  };
}

/** Detects the DTMF keys in the audio of one party: reports each tone once, however long it lasts. */
export class DtmfReceiver {
  readonly #detector: DtmfDetector;
  /** The digit of the newest frame; null for none. */
  #sounding: string | null = null;
  /** Number of frames in a row with that digit. */
  #frames = 0;

  constructor(sampleRateHz: SampleRateHz) {
    this.#detector = createDtmfDetector(sampleRateHz);
  }

  /** True if a DTMF tone sounded in the newest frame. */
  get isSounding(): boolean {
    return this.#sounding !== null;
  }

  /** Takes the next frame (null is silence); returns the digit that this frame confirms, else null. */
  hear(frame: Int16Array | null): string | null {
    const digit = frame && this.#detector.digitIn(frame);
    this.#frames = digit !== null && digit === this.#sounding ? this.#frames + 1 : 1;
    this.#sounding = digit;
    return this.#frames === SHORTEST_FRAMES ? digit : null;
  }
}

/**
 * Finds the loudest of some tones in a frame by the Goertzel algorithm: its index and its power. The result is written
 * into `found` and returned, so that nothing is allocated; it is valid until the next search.
 */
function findLoudest(
  frame: Int16Array,
  coefficients: readonly number[],
  found: { at: number; power: number },
): { at: number; power: number } {
  found.power = -1;
  for (let tone = 0; tone < coefficients.length; tone += 1) {
    const coefficient = coefficients[tone]!;
    let last = 0;
    let beforeLast = 0;
    for (let at = 0; at < frame.length; at += 1) {
      const next = frame[at]! + coefficient * last - beforeLast;
      beforeLast = last;
      last = next;
    }
    const power = last * last + beforeLast * beforeLast - coefficient * last * beforeLast;
    if (power > found.power) [found.at, found.power] = [tone, power];
  }
  return found;
}
