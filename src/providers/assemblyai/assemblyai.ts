import type { ProviderDefinition } from '#providers/provider-definition.js';
import { createStreamingStt } from '#providers/recognition/streaming-stt.js';
import { assemblyAiDialect } from './stt-universal.js';

const BASE_URL = 'https://streaming.assemblyai.com';
/** The recogniser if the operator sets none. */
const STT_MODEL = 'universal-3-5-pro';

/**
 * The provider AssemblyAI: streaming recognisers, which detect the end of a turn from the words. Agents choose it as
 * `transcription_provider`.
 */
export const assemblyai: ProviderDefinition = {
  name: 'assemblyai',
  prefix: 'ASSEMBLYAI',
  settings: {
    API_KEY: { docs: 'API key of AssemblyAI.', fallback: null, secret: true },
    BASE_URL: {
      docs: 'Address of the streaming API of AssemblyAI, of a region of it, or of a proxy.',
      fallback: BASE_URL,
    },
    STT_MODEL: { docs: 'Recogniser of AssemblyAI.', fallback: STT_MODEL },
  },
  configuredBy: [['API_KEY']],
  stt: {
    languages: ['en', 'es', 'de', 'fr', 'pt', 'it'],
    tellsLanguage: ({ STT_MODEL: model }) => !model?.includes('english'),
    open: (settings, parts) =>
      createStreamingStt(
        assemblyAiDialect({
          apiKey: settings['API_KEY'] ?? '',
          baseUrl: settings['BASE_URL'] ?? BASE_URL,
          model: settings['STT_MODEL'] ?? STT_MODEL,
        }),
        parts,
      ),
  },
};
