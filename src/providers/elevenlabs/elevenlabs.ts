import type { ProviderDefinition } from '#providers/provider-definition.js';
import { elevenLabsStt, elevenLabsSttSettings } from './stt.js';
import { elevenLabsTts, elevenLabsVoiceSettings } from './tts.js';

/**
 * The provider ElevenLabs: the recogniser Scribe, and voices. Agents choose it as `transcription_provider` or
 * `voice_provider`.
 */
export const elevenlabs: ProviderDefinition = {
  name: 'elevenlabs',
  prefix: 'ELEVENLABS',
  settings: {
    API_KEY: { docs: 'API key of ElevenLabs.', fallback: null, secret: true, aliases: ['ELEVEN_API_KEY'] },
    BASE_URL: {
      docs: 'Address of the API of ElevenLabs, or of a proxy of it, up to and with /v1.',
      fallback: 'https://api.elevenlabs.io/v1',
    },
    ...elevenLabsSttSettings,
    ...elevenLabsVoiceSettings,
  },
  configuredBy: [['API_KEY']],
  stt: elevenLabsStt,
  tts: elevenLabsTts,
};
