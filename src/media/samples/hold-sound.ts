import { frameSamples, type SampleRateHz } from './audio.js';
import { loadResampling } from './resampler.js';
import { readSoundFile } from './sound-file.js';

/** Generated hold sounds; any other value is the path of a WAV file. */
export const HOLD_SOUNDS = ['tone', 'silence'] as const;

export function isHoldSound(wanted: string): boolean {
  return (HOLD_SOUNDS as readonly string[]).includes(wanted);
}

const RATES = [8_000, 16_000] as const satisfies SampleRateHz[];
/** Two soft notes and a rest: the caller hears that the line is alive, without being disturbed. */
const NOTES_HZ = [440, 554];
const NOTE_SECONDS = 0.35;
const ROUND_SECONDS = 4;
const LOUDNESS = 2_600;

/** The sound for callers on hold. */
export interface HoldSound {
  /** One round of the sound; empty for silence. */
  at(sampleRateHz: SampleRateHz): Int16Array;
}

/**
 * @param wanted one of {@link HOLD_SOUNDS}, or the path of a WAV file
 * @throws Error that describes the problem of the file
 */
export async function loadHoldSound(wanted: string): Promise<HoldSound> {
  const rounds = new Map<SampleRateHz, Int16Array>();
  for (const rate of RATES) rounds.set(rate, await roundOf(wanted, rate));
  return { at: (rate) => rounds.get(rate)! };
}

async function roundOf(wanted: string, rate: SampleRateHz): Promise<Int16Array> {
  if (wanted === 'silence') return new Int16Array(0);
  if (wanted === 'tone') return tone(rate);
  const sound = await readSoundFile(wanted, rate, await loadResampling());
  return sound.length < frameSamples(rate) ? new Int16Array(0) : sound;
}

/** Each note swells and fades, so that none of them clicks. */
function tone(rate: SampleRateHz): Int16Array {
  const round = new Int16Array(ROUND_SECONDS * rate);
  const length = Math.round(NOTE_SECONDS * rate);
  NOTES_HZ.forEach((hz, note) => {
    for (let index = 0; index < length; index += 1) {
      const swell = Math.sin((Math.PI * index) / length);
      round[note * length + index] = LOUDNESS * swell * Math.sin((2 * Math.PI * hz * index) / rate);
    }
  });
  return round;
}
