import { fileURLToPath } from 'node:url';
import { loadResampling } from '#media/samples/resampler.js';
import { readSoundFile } from '#media/samples/sound-file.js';

/** The sentences in `test/support/sounds`; its README has texts and speakers. */
export type SoundFileName =
  'yes-please.wav' | 'i-would-rather-not.wav' | 'my-name-is-anna-keller.wav' | 'june-the-third.wav';

/** A sentence by a voice other than the built-in ones, at 8 kHz. */
export async function soundFile(name: SoundFileName): Promise<Int16Array> {
  const path = fileURLToPath(new URL(`sounds/${name}`, import.meta.url));
  return readSoundFile(path, 8_000, await loadResampling());
}
