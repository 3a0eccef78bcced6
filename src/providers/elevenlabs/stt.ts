import type { ProviderSetting, SttFactory } from '#providers/provider-definition.js';
import { createStreamingStt } from '#providers/recognition/streaming-stt.js';
import { scribeDialect } from './stt-scribe.js';

/** The recogniser if the operator sets none. */
const STT_MODEL = 'scribe_v2_realtime';

/** The setting of ElevenLabs' recogniser. */
export const elevenLabsSttSettings: Readonly<Record<'STT_MODEL', ProviderSetting>> = {
  STT_MODEL: { docs: 'Recogniser of ElevenLabs.', fallback: STT_MODEL },
};

/**
 * The recogniser of ElevenLabs, Scribe, for about ninety languages; it reports which one was spoken. Opened by
 * `SpeechProviders`.
 */
export const elevenLabsStt: SttFactory = {
  languages: null,
  tellsLanguage: () => true,
  open: (settings, parts) =>
    createStreamingStt(
      scribeDialect({
        apiKey: settings['API_KEY'] ?? '',
        baseUrl: settings['BASE_URL'] ?? '',
        model: settings['STT_MODEL'] ?? STT_MODEL,
      }),
      parts,
    ),
};
