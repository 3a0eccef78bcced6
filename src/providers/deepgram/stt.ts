import type { ProviderSetting, SttFactory } from '#providers/provider-definition.js';
import { createStreamingStt } from '#providers/recognition/streaming-stt.js';
import { fluxDialect } from './stt-flux.js';
import { DEEPGRAM_LANGUAGES } from './stt-languages.js';
import { novaDialect } from './stt-nova.js';

/** The recogniser if the operator sets none. */
const STT_MODEL = 'nova-3';

/** The settings of Deepgram's recognisers. */
export const deepgramSttSettings: Readonly<Record<'STT_MODEL', ProviderSetting>> = {
  STT_MODEL: {
    docs: 'Recogniser of Deepgram: a nova model, or `flux-general-en`, which tells the end of a turn by itself.',
    fallback: STT_MODEL,
  },
};

/**
 * The recognisers of Deepgram, chosen by the setting `STT_MODEL`: nova, which must be sent the end of an utterance, and
 * Flux, which detects the end of a turn itself. Opened by `SpeechProviders`.
 */
export const deepgramStt: SttFactory = {
  languages: DEEPGRAM_LANGUAGES,
  tellsLanguage: () => true,
  open: (settings, parts) => {
    const account = {
      apiKey: settings['API_KEY'] ?? '',
      baseUrl: settings['BASE_URL'] ?? '',
      model: settings['STT_MODEL'] ?? STT_MODEL,
    };
    const dialect = account.model.startsWith('flux') ? fluxDialect(account) : novaDialect(account);
    return createStreamingStt(dialect, parts);
  },
};
