import {
  commonSettings,
  type ProviderDefinition,
  type ProviderSetting,
  type SttFactory,
} from '#providers/provider-definition.js';
import { authorization, chatModel } from './chat-model.js';
import { createTranscriptionStt, tellsLanguage } from './stt-transcriptions.js';
import { anyServerTts, anyServerVoiceSettings } from './tts-servers.js';
import { PRESETS, type Preset } from './presets.js';

/**
 * The providers that are made from {@link PRESETS}: chat-completions servers, each with its name and settings, for
 * `registry.ts`. Agents choose them as `ai_provider`; those with a recogniser or voices also as providers of these.
 */
export const compatibleProviders: readonly ProviderDefinition[] = PRESETS.map(compatibleProvider);

/** The definition of a preset: models, and recogniser and voices if its server has them. */
function compatibleProvider(preset: Preset): ProviderDefinition {
  const { name, prefix, vendor, baseUrl, defaultModel } = preset;
  const common = commonSettings(vendor, { baseUrl, model: defaultModel });
  return {
    name,
    prefix,
    settings: {
      API_KEY: {
        ...common.API_KEY,
        ...(baseUrl === null && { docs: `API key of ${vendor}, where it asks for one.` }),
      },
      BASE_URL: {
        ...common.BASE_URL,
        ...(baseUrl === null && { docs: `Address of ${vendor}, up to and with /v1.` }),
      },
      MODEL: common.MODEL,
      ...sttSettings(preset),
      ...(preset.speaks && anyServerVoiceSettings),
    },
    ...(preset.speaks && { tts: anyServerTts(name) }),
    // A vendor's address is known and needs a key; another address may be a proxy that adds it.
    configuredBy: baseUrl === null ? [['BASE_URL']] : [['API_KEY'], ['BASE_URL']],
    ...(preset.sttModel !== undefined && { stt: sttOf(preset) }),
    model: chatModel(name, preset),
  };
}

/** The recogniser's name that is sent if neither preset nor setting has one: most servers ignore the name. */
const ANY_STT_MODEL = 'whisper-1';

/** The settings of the recogniser; none for a server without one. */
function sttSettings({ vendor, sttModel }: Preset): Record<string, ProviderSetting> {
  if (sttModel === undefined) return {};
  return {
    STT_MODEL: { docs: `Recogniser of ${vendor}.`, fallback: sttModel },
    STT_BASE_URL: {
      docs: `Address of the recogniser of ${vendor}, where it is another than that of the model.`,
      fallback: null,
    },
  };
}

/** The recogniser of a preset's server, which takes whole utterances. */
function sttOf({ name, baseUrl, sttModel }: Preset): SttFactory {
  return {
    languages: null,
    tellsLanguage: ({ STT_MODEL: model }) => tellsLanguage(model ?? sttModel ?? ANY_STT_MODEL),
    open: (settings, parts) =>
      createTranscriptionStt(
        {
          provider: name,
          baseUrl: settings['STT_BASE_URL'] ?? settings['BASE_URL'] ?? '',
          headers: authorization(settings),
          model: settings['STT_MODEL'] ?? ANY_STT_MODEL,
          isOwn: baseUrl === null,
        },
        parts,
      ),
  };
}
