// Vendors of speech that are emulated in processes of their own, and the service's adapters to them.
import { createIds } from '#kernel/ids/ids.js';
import { createLog } from '#kernel/log/log.js';
import { systemClock, type Clock } from '#kernel/time/clock.js';
import { createSocketOpener } from '#outbound-http/socket.js';
import { assemblyai } from '#providers/assemblyai/assemblyai.js';
import { deepgram } from '#providers/deepgram/deepgram.js';
import { elevenlabs } from '#providers/elevenlabs/elevenlabs.js';
import { openai } from '#providers/openai/openai.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { createCallbackSockets } from '#providers/wire/callback-sockets.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import { createAssemblyAiEmulator } from '../test/support/emulators/speech/assemblyai-emulator.js';
import { createDeepgramEmulator } from '../test/support/emulators/speech/deepgram-emulator.js';
import type { EmulatedServer } from '../test/support/emulators/speech/emulated-sockets.js';
import { createOpenAiTranscriptionEmulator } from '../test/support/emulators/speech/openai-emulator.js';
import { createScribeEmulator } from '../test/support/emulators/speech/scribe-emulator.js';
import { serveEmulator } from '../test/support/emulators/speech/served-emulator.js';
import { TESTED_VOICES } from '../test/support/emulators/voices/tested-voices.js';
import { VoiceEmulator } from '../test/support/emulators/voices/voice-emulator.js';
import { voicesOf } from '../test/support/voices-rig.js';

/** How long every emulated voice takes to its first sound. Recognisers answer at once. */
export const VOICE_DELAY_MS = 100;

/** The ways to voices of vendors, as the emulators know them. */
export const VOICE_NAMES: readonly string[] = Object.keys(TESTED_VOICES);

/** A recogniser that is streamed to: its adapter, and what stands in for its vendor. */
interface Recogniser {
  definition: ProviderDefinition;
  emulate(clock: Clock): EmulatedServer & { key: string };
  /** What the base address of the vendor ends with. */
  path: string;
}

/** The recogniser that tells when it believes that a turn ended. */
export const FLUX = 'flux-general-en';

/** Every recogniser that is streamed to, by its model. */
const RECOGNISERS: Readonly<Record<string, Recogniser>> = {
  'nova-3': { definition: deepgram, emulate: createDeepgramEmulator, path: '' },
  [FLUX]: { definition: deepgram, emulate: createDeepgramEmulator, path: '' },
  'universal-3-5-pro': { definition: assemblyai, emulate: createAssemblyAiEmulator, path: '' },
  scribe_v2_realtime: { definition: elevenlabs, emulate: createScribeEmulator, path: '/v1' },
  'gpt-realtime-whisper': { definition: openai, emulate: createOpenAiTranscriptionEmulator, path: '/v1' },
};

export const RECOGNISER_NAMES: readonly string[] = Object.keys(RECOGNISERS);

interface EmulatedVendor {
  url: string;
  /** How much later than {@link VOICE_DELAY_MS} each first sound left. */
  latenessMs: number[];
}

/**
 * The vendor of a voice or a recogniser in this process; its address is told to the parent, and how late its first
 * sounds were whenever the parent asks.
 */
export async function emulateVendor(name: string): Promise<void> {
  const { url, latenessMs } = name in RECOGNISERS ? await emulateRecogniser(name) : await emulateVoice(name);
  process.on('message', () => process.send!(latenessMs.splice(0)));
  process.send!({ url });
}

/** It hears a word it does not know wherever there is a quarter of a second of sound. */
async function emulateRecogniser(name: string): Promise<EmulatedVendor> {
  const { url } = await serveEmulator(RECOGNISERS[name]!.emulate(systemClock));
  return { url, latenessMs: [] };
}

async function emulateVoice(name: string): Promise<EmulatedVendor> {
  const emulator = await VoiceEmulator.open(TESTED_VOICES[name]!.dialect, systemClock);
  emulator.usual = { firstAfterMs: VOICE_DELAY_MS };
  return emulator;
}

/** The voice of a vendor at an address, as calls open it. */
export function voiceAt(name: string, url: string): Tts {
  const { environment, choice } = TESTED_VOICES[name]!;
  return voicesOf(environment(url)).open([choice]);
}

/** The recogniser of a vendor at an address, as calls open it. */
export function recogniserAt(name: string, url: string): Stt {
  const { definition, emulate, path } = RECOGNISERS[name]!;
  const usual = Object.entries(definition.settings).map(([key, { fallback }]) => [key, fallback] as const);
  const settings = {
    ...Object.fromEntries(usual),
    API_KEY: emulate(systemClock).key,
    BASE_URL: `${url}${path}`,
    STT_MODEL: name,
  };
  return definition.stt!.open(settings, {
    clock: systemClock,
    ids: createIds(systemClock),
    log: createLog('WARNING'),
    fetch,
    connect: createCallbackSockets(createSocketOpener({ clock: systemClock }), systemClock),
  });
}
