import type { ProviderDefinition } from '#providers/provider-definition.js';
import { deepgramStt, deepgramSttSettings } from './stt.js';
import { deepgramTts, deepgramVoiceSettings } from './tts.js';

/**
 * The provider Deepgram: recognisers (nova, Flux) and voices (Aura, Flux). Agents choose it as `transcription_provider`
 * or `voice_provider`.
 */
export const deepgram: ProviderDefinition = {
  name: 'deepgram',
  prefix: 'DEEPGRAM',
  settings: {
    API_KEY: { docs: 'API key of Deepgram.', fallback: null, secret: true },
    BASE_URL: {
      docs: 'Address of the API of Deepgram, or of a proxy of it, without /v1.',
      fallback: 'https://api.deepgram.com',
    },
    ...deepgramSttSettings,
    ...deepgramVoiceSettings,
  },
  configuredBy: [['API_KEY']],
  stt: deepgramStt,
  tts: deepgramTts,
};
