import type { Environment } from '#config/setting.js';
import type { Clock } from '#kernel/time/clock.js';
import { createAssemblyAiEmulator } from './assemblyai-emulator.js';
import { createDeepgramEmulator } from './deepgram-emulator.js';
import { emulatedSockets, type EmulatedServer } from './emulated-sockets.js';
import { createOpenAiTranscriptionEmulator } from './openai-emulator.js';
import { createScribeEmulator } from './scribe-emulator.js';
import { openTranscriptionEmulator } from './transcription-emulator.js';

/** A recogniser under a whole service. */
export interface EmulatedRecogniser {
  provider: string;
  environment: Environment;
  /** In place of the service's own, with what ends a session. */
  sockets: ReturnType<typeof emulatedSockets>;
  close(): Promise<void>;
}

type Emulate = (clock: Clock) => EmulatedServer & { key: string; vocabulary: string[] };
type Open = (clock: Clock, texts: readonly string[]) => Promise<EmulatedRecogniser>;

/** @param end how the vendor closes a session that has lasted for as long as it may */
function streamed(
  provider: string,
  emulate: Emulate,
  environmentOf: (key: string) => Environment,
  end: { code: number; reason: string } = { code: 1_000, reason: '' },
): Open {
  return async (clock, texts) => {
    const emulator = emulate(clock);
    emulator.vocabulary.push(...texts);
    const sockets = emulatedSockets(clock, emulator);
    Object.assign(sockets.limit, end);
    return { provider, environment: environmentOf(emulator.key), sockets, close: async () => {} };
  };
}

/** Every kind of recogniser, each with its emulator. */
export const EMULATED_RECOGNISERS = {
  'nova of Deepgram': streamed('deepgram', createDeepgramEmulator, (key) => ({ DEEPGRAM_API_KEY: key })),
  'Flux of Deepgram': streamed('deepgram', createDeepgramEmulator, (key) => ({
    DEEPGRAM_API_KEY: key,
    DEEPGRAM_STT_MODEL: 'flux-general-en',
  })),
  AssemblyAI: streamed('assemblyai', createAssemblyAiEmulator, (key) => ({ ASSEMBLYAI_API_KEY: key }), {
    code: 3_008,
    reason: 'Session expired',
  }),
  'Scribe of ElevenLabs': streamed('elevenlabs', createScribeEmulator, (key) => ({
    ELEVENLABS_API_KEY: key,
  })),
  'transcription of OpenAI': streamed(
    'openai',
    createOpenAiTranscriptionEmulator,
    (key) => ({ OPENAI_API_KEY: key, OPENAI_STT_MODEL: 'gpt-realtime-whisper' }),
    { code: 1_001, reason: 'session expired' },
  ),
  'a server with /audio/transcriptions': async (clock, texts) => {
    const { url, close } = await openTranscriptionEmulator(texts);
    return {
      provider: 'openai-compatible',
      environment: { OPENAI_COMPATIBLE_BASE_URL: url, OPENAI_COMPATIBLE_STT_MODEL: 'Systran/faster-whisper' },
      sockets: emulatedSockets(clock, { accept: () => 404 }),
      close,
    };
  },
} satisfies Readonly<Record<string, Open>>;

export type RecogniserName = keyof typeof EMULATED_RECOGNISERS;
