import type { ModelSource } from '#dialogue/llm/model-source.js';
import type { ModelRequest } from '#dialogue/llm/language-model.js';
import { aiSdkSource, type AiSdkModel } from '#providers/ai-sdk/ai-sdk-source.js';
import {
  usualSettings,
  type ProviderDefinition,
  type ProviderParts,
  type ProviderSetting,
  type ProviderSettings,
  type SttFactory,
} from '#providers/provider-definition.js';
import { accountOf, isOperatorsAccount } from '#providers/wire/account.js';
import { callIdMaker } from '#providers/wire/call-ids.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';
import { ChatRepairs } from '#providers/wire/chat-repairs.js';
import { createTranscriptionStt } from './stt-transcriptions.js';
import { anyServerTts, anyServerVoiceSettings } from './tts-servers.js';
import { PRESETS, type Preset } from './presets.js';

const load = () => import('@ai-sdk/openai-compatible');

/** Every server that speaks chat completions, each under its own name and settings. */
export const compatibleProviders: readonly ProviderDefinition[] = PRESETS.map(compatibleProvider);

function compatibleProvider(preset: Preset): ProviderDefinition {
  const { name, prefix, vendor, baseUrl, defaultModel } = preset;
  const usual = usualSettings(vendor, { baseUrl, model: defaultModel });
  return {
    name,
    prefix,
    settings: {
      API_KEY: {
        ...usual.API_KEY,
        ...(baseUrl === null && { docs: `API key of ${vendor}, where it asks for one.` }),
      },
      BASE_URL: {
        ...usual.BASE_URL,
        ...(baseUrl === null && { docs: `Address of ${vendor}, up to and with /v1.` }),
      },
      MODEL: usual.MODEL,
      ...sttSettings(preset),
      ...(preset.speaks && anyServerVoiceSettings),
    },
    ...(preset.speaks && { tts: anyServerTts(name) }),
    configuredBy: baseUrl === null ? [['BASE_URL']] : [['API_KEY'], ['BASE_URL']],
    ...(preset.sttModel !== undefined && { stt: sttOf(preset) }),
    model: {
      defaultModel: ({ MODEL }) => MODEL ?? null,
      open: (model, choice, settings, parts) => {
        const address = settings['BASE_URL'] ?? '';
        return chatSource(
          {
            provider: name,
            model,
            baseUrl: address,
            account: accountOf(name, address, choice),
            isOperators: isOperatorsAccount(choice),
            mayBeProbed: true,
            fetch: withHeaders(withBody(parts.fetch, choice.extraBody), {
              ...authorization(settings),
              ...choice.headers,
            }),
            ...(preset.wantsReasoningBack && { wantsReasoningBack: true }),
            options: ({ settings: { reasoningEffort } }) => ({
              ...(reasoningEffort !== null && { reasoningEffort }),
            }),
          },
          parts,
        );
      },
      load,
      checkRequest: (settings) => ({
        url: `${settings['BASE_URL'] ?? ''}/models`,
        headers: authorization(settings),
      }),
    },
  };
}

/** What a server takes that names no recogniser: most ignore the name. */
const ANY_STT_MODEL = 'whisper-1';

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

function sttOf({ name }: Preset): SttFactory {
  return {
    languages: null,
    open: (settings, parts) =>
      createTranscriptionStt(
        {
          provider: name,
          baseUrl: settings['STT_BASE_URL'] ?? settings['BASE_URL'] ?? '',
          headers: authorization(settings),
          model: settings['STT_MODEL'] ?? ANY_STT_MODEL,
        },
        parts,
      ),
  };
}

function authorization({ API_KEY }: ProviderSettings): Record<string, string> {
  return API_KEY ? { authorization: `Bearer ${API_KEY}` } : {};
}

/** A model behind chat completions of any server. */
export interface ChatEndpoint extends Pick<
  AiSdkModel,
  'provider' | 'model' | 'account' | 'isOperators' | 'mayBeProbed' | 'fetch' | 'wantsReasoningBack'
> {
  baseUrl: string;
  /** Fields of the body beside the usual ones. */
  options(request: ModelRequest): Readonly<Record<string, unknown>>;
  headers?(request: ModelRequest): Record<string, string>;
}

export function chatSource(endpoint: ChatEndpoint, parts: ProviderParts): ModelSource {
  const { baseUrl, options, headers, ...model } = endpoint;
  return aiSdkSource({
    ...model,
    wallMs: () => parts.clock.wallMs(),
    repairs: () => new ChatRepairs(model.provider, callIdMaker(parts.ids)),
    load: async () => {
      const { createOpenAICompatible } = await load();
      return (fetch) =>
        createOpenAICompatible({ name: 'chat', baseURL: baseUrl, includeUsage: true, fetch })(model.model);
    },
    request: (request) => ({
      options: { chat: { ...options(request) } as Record<string, never> },
      ...(headers && { headers: headers(request) }),
    }),
  });
}
