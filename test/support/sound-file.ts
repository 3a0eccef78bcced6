import { fileURLToPath } from 'node:url';
import { loadResampling } from '#media/samples/resampler.js';
import { readSoundFile } from '#media/samples/sound-file.js';

/** The sentences of `test/support/sounds`; its README says what is said, and by whom. */
export type SoundFileName =
  'yes-please.wav' | 'i-would-rather-not.wav' | 'my-name-is-anna-keller.wav' | 'june-the-third.wav';

/** What somebody says who is none of the built-in voices, at 8 kHz. */
export async function soundFile(name: SoundFileName): Promise<Int16Array> {
  const path = fileURLToPath(new URL(`sounds/${name}`, import.meta.url));
  return readSoundFile(path, 8_000, await loadResampling());
}
