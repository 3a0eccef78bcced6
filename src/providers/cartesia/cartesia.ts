import type { ProviderDefinition } from '#providers/provider-definition.js';
import { cartesiaTts, cartesiaVoiceSettings } from './tts.js';

/** The provider Cartesia: voices only. Agents choose it as `voice_provider`. */
export const cartesia: ProviderDefinition = {
  name: 'cartesia',
  prefix: 'CARTESIA',
  settings: {
    API_KEY: { docs: 'API key of Cartesia.', fallback: null, secret: true },
    BASE_URL: {
      docs: 'Address of the API of Cartesia, or of a proxy of it.',
      fallback: 'https://api.cartesia.ai',
    },
    ...cartesiaVoiceSettings,
  },
  configuredBy: [['API_KEY']],
  tts: cartesiaTts,
};
