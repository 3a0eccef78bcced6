import { frameSamples, type SampleRateHz } from './audio.js';
import { loadResampling } from './resampler.js';
import { readSoundFile } from './sound-file.js';

/** The hold sounds that need no file, as values of `HOLD_SOUND`; any other value is the path of a WAV file. */
export const HOLD_SOUNDS = ['tone', 'silence'] as const;

/** True if the setting is one of {@link HOLD_SOUNDS}, and no path. */
export function isHoldSound(setting: string): boolean {
  return (HOLD_SOUNDS as readonly string[]).includes(setting);
}

/** The sample rates of lines. */
const RATES = [8_000, 16_000] as const satisfies SampleRateHz[];
/** The tone: two soft notes and a rest. The caller hears that the line is alive, without being disturbed. */
const NOTES_HZ = [440, 554];
const NOTE_SECONDS = 0.35;
const LOOP_SECONDS = 4;
/** Largest sample of the tone, about −22 dB of full scale: softer than speech. */
const PEAK = 2_600;

/** The sound for callers on hold at every rate of a line; `HoldLoop` repeats it. */
export interface HoldSound {
  /** One round of the sound, to be repeated; empty for silence, and for a file shorter than a frame. */
  at(sampleRateHz: SampleRateHz): Int16Array;
}

/**
 * Loads the hold sound of the service at its start, for all rates.
 * @param setting one of {@link HOLD_SOUNDS}, or the path of a WAV file
 * @throws Error that describes the problem of the file, or the file system's error
 */
export async function loadHoldSound(setting: string): Promise<HoldSound> {
  const loops = new Map<SampleRateHz, Int16Array>();
  for (const rate of RATES) loops.set(rate, await readLoop(setting, rate));
  return { at: (rate) => loops.get(rate)! };
}

/** One round of the sound at a rate; empty for silence, and for a file shorter than a frame. */
async function readLoop(setting: string, rate: SampleRateHz): Promise<Int16Array> {
  if (setting === 'silence') return new Int16Array(0);
  if (setting === 'tone') return tone(rate);
  const sound = await readSoundFile(setting, rate, await loadResampling());
  return sound.length < frameSamples(rate) ? new Int16Array(0) : sound;
}

/** One round of the generated tone. Each note swells and fades, so that it does not click. */
function tone(rate: SampleRateHz): Int16Array {
  const loop = new Int16Array(LOOP_SECONDS * rate);
  const noteSamples = Math.round(NOTE_SECONDS * rate);
  NOTES_HZ.forEach((hz, note) => {
    for (let index = 0; index < noteSamples; index += 1) {
      const swell = Math.sin((Math.PI * index) / noteSamples);
      loop[note * noteSamples + index] = PEAK * swell * Math.sin((2 * Math.PI * hz * index) / rate);
    }
  });
  return loop;
}
