import type { Environment } from '#config/setting.js';
import type { VoiceChoice } from '#providers/voices/voices.js';
import type { VoiceDialect } from './voice-emulator.js';
import { cartesia, deepgram, elevenLabs, openAiSpeech } from './voice-dialects.js';

export const VOICE_KEY = 'key-4711-of-a-test';

/** A voice vendor in tests: its emulator, and the service's configuration for it. */
export interface TestedVoice {
  dialect: VoiceDialect;
  environment(url: string): Environment;
  choice: VoiceChoice;
  /** Bytes per millisecond of audio for a line of 8 kHz. */
  bytesPerMs: number;
  /** True if sentences use a persistent socket. */
  isSocketed: boolean;
  /** True if it reports word times. */
  tellsWords: boolean;
  /** True if audio has a sentence id: a socket then stays usable after an abort. */
  namesSentences?: true;
}

/** Every transport of every voice vendor. */
export const TESTED_VOICES: Readonly<Record<string, TestedVoice>> = {
  OpenAI: {
    dialect: openAiSpeech(VOICE_KEY),
    environment: (url) => ({ OPENAI_BASE_URL: `${url}/v1`, OPENAI_API_KEY: VOICE_KEY }),
    choice: { provider: 'openai', voice: 'alloy' },
    bytesPerMs: 48,
    isSocketed: false,
    tellsWords: false,
  },
  'Kokoro-FastAPI': {
    dialect: openAiSpeech(null),
    environment: (url) => ({ KOKORO_BASE_URL: `${url}/v1` }),
    choice: { provider: 'kokoro', voice: null },
    bytesPerMs: 48,
    isSocketed: false,
    tellsWords: false,
  },
  speaches: {
    dialect: openAiSpeech(null, 22_050),
    environment: (url) => ({ SPEACHES_BASE_URL: `${url}/v1` }),
    choice: { provider: 'speaches', voice: null },
    bytesPerMs: 16,
    isSocketed: false,
    tellsWords: false,
  },
  'ElevenLabs over sockets': {
    dialect: elevenLabs(VOICE_KEY),
    environment: (url) => ({ ELEVENLABS_BASE_URL: `${url}/v1`, ELEVEN_API_KEY: VOICE_KEY }),
    choice: { provider: 'elevenlabs', voice: 'v1' },
    bytesPerMs: 8,
    isSocketed: true,
    tellsWords: true,
    namesSentences: true,
  },
  'ElevenLabs over HTTP': {
    dialect: elevenLabs(VOICE_KEY),
    environment: (url) => ({
      ELEVENLABS_BASE_URL: `${url}/v1`,
      ELEVENLABS_API_KEY: VOICE_KEY,
      ELEVENLABS_TTS_TRANSPORT: 'http',
    }),
    choice: { provider: 'elevenlabs', voice: 'v1' },
    bytesPerMs: 8,
    isSocketed: false,
    tellsWords: true,
  },
  'Deepgram Aura': {
    dialect: deepgram(VOICE_KEY),
    environment: (url) => ({ DEEPGRAM_BASE_URL: url, DEEPGRAM_API_KEY: VOICE_KEY }),
    choice: { provider: 'deepgram', voice: null },
    bytesPerMs: 8,
    isSocketed: false,
    tellsWords: false,
  },
  'Deepgram Flux': {
    dialect: deepgram(VOICE_KEY),
    environment: (url) => ({ DEEPGRAM_BASE_URL: url, DEEPGRAM_API_KEY: VOICE_KEY }),
    choice: { provider: 'deepgram', voice: 'flux-alexis-en' },
    bytesPerMs: 8,
    isSocketed: true,
    tellsWords: false,
  },
  Cartesia: {
    dialect: cartesia(VOICE_KEY),
    environment: (url) => ({ CARTESIA_BASE_URL: url, CARTESIA_API_KEY: VOICE_KEY }),
    choice: { provider: 'cartesia', voice: null },
    bytesPerMs: 8,
    isSocketed: true,
    tellsWords: true,
    namesSentences: true,
  },
};
