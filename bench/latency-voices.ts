import type { Tts } from '#speech/tts.js';
import { systemClock } from '#kernel/time/clock.js';
import { TESTED_VOICES } from '../test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '../test/support/emulators/voices/voice-emulator.js';
import { voicesOf } from '../test/support/voices-rig.js';

/** How long every emulated vendor takes to its first sound. */
export const VOICE_DELAY_MS = 100;

/** The ways to voices of vendors, as the emulators know them. */
export const VOICE_NAMES: readonly string[] = Object.keys(TESTED_VOICES);

/** A vendor in a process of its own; its address is told to the parent. */
export async function emulateVendor(name: string): Promise<void> {
  const emulator = await VoiceEmulator.open(TESTED_VOICES[name]!.dialect, systemClock);
  emulator.usual = { firstAfterMs: VOICE_DELAY_MS };
  process.send!({ url: emulator.url });
}

/** The voice of a vendor at an address, as calls open it. */
export function voiceAt(name: string, url: string): Tts {
  const { environment, choice } = TESTED_VOICES[name]!;
  return voicesOf(environment(url)).open([choice]);
}
