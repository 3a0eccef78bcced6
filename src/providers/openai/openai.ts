import type { ModelSource } from '#dialogue/llm/model-source.js';
import { aiSdkSource } from '#providers/ai-sdk/ai-sdk-source.js';
import {
  commonSettings,
  type ModelChoice,
  type ProviderDefinition,
  type ProviderParts,
  type ProviderSettings,
} from '#providers/provider-definition.js';
import { modelAccountOf, usesOperatorsAccount } from '#providers/wire/account.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';
import { ChatRepairs } from '#providers/wire/chat-repairs.js';
import { toolCallIdMaker } from '#providers/wire/tool-call-ids.js';
import { createTranscriptionStt, tellsLanguage } from '#providers/openai-compatible/stt-transcriptions.js';
import { createStreamingStt } from '#providers/recognition/streaming-stt.js';
import { isStreamingModel, openAiTranscriptionDialect } from './stt-realtime.js';
import { openAiTts } from './tts.js';
import { reasoningEffortFor } from './openai-models.js';

const BASE_URL = 'https://api.openai.com/v1';

/** The recogniser if the operator sets none. */
const STT_MODEL = 'gpt-4o-mini-transcribe';

const load = () => import('@ai-sdk/openai');

/**
 * The provider OpenAI: models by chat completions, recognisers and voices. Agents choose it for any of the three. The
 * Responses endpoint is not used: behind proxies its item ids change during an answer.
 */
export const openai: ProviderDefinition = {
  name: 'openai',
  prefix: 'OPENAI',
  settings: {
    ...commonSettings('OpenAI', { baseUrl: BASE_URL, model: 'gpt-4.1' }),
    BASE_URL: {
      docs: 'Address of the API of OpenAI, or of a proxy that speaks it, up to and with /v1; with one of your own, the key may be left out.',
      fallback: BASE_URL,
    },
    STT_MODEL: {
      docs: 'Recogniser of OpenAI; gpt-realtime-whisper and gpt-live-transcribe are streamed to while the caller speaks.',
      fallback: STT_MODEL,
    },
    TTS_MODEL: { docs: 'Model of voices of OpenAI for agents that name none.', fallback: 'gpt-4o-mini-tts' },
    VOICE: { docs: 'Voice of OpenAI for agents that name none.', fallback: 'alloy' },
  },
  // A proxy at another address may add the key itself.
  configuredBy: [['API_KEY'], ['BASE_URL']],
  tts: openAiTts,
  stt: {
    languages: null,
    // A streaming Whisper reports no language.
    tellsLanguage: ({ STT_MODEL: model }) =>
      !isStreamingModel(model ?? STT_MODEL) && tellsLanguage(model ?? STT_MODEL),
    open: (settings, parts) => {
      const server = {
        provider: 'openai',
        baseUrl: settings['BASE_URL'] ?? BASE_URL,
        headers: authorization(settings),
        model: settings['STT_MODEL'] ?? STT_MODEL,
      };
      return isStreamingModel(server.model)
        ? createStreamingStt(openAiTranscriptionDialect(server), parts)
        : createTranscriptionStt(server, parts);
    },
  },
  model: {
    defaultModel: ({ MODEL }) => MODEL ?? null,
    open: (model, choice, settings, parts) => {
      const key = settings['API_KEY'] ?? null;
      const headers = { authorization: key === null ? null : `Bearer ${key}`, ...choice.headers };
      return openAiSource(
        { provider: 'openai', model, choice, baseUrl: settings['BASE_URL'] ?? BASE_URL, headers },
        parts,
      );
    },
    load,
    checkRequest: (settings) => ({
      url: `${settings['BASE_URL'] ?? BASE_URL}/models`,
      headers: authorization(settings),
    }),
  },
};

function authorization({ API_KEY }: ProviderSettings): Record<string, string> {
  return API_KEY ? { authorization: `Bearer ${API_KEY}` } : {};
}

/** A model at OpenAI or Azure, which is used through OpenAI's own package. */
export interface OpenAiEndpoint {
  provider: string;
  model: string;
  choice: ModelChoice;
  baseUrl: string;
  /** Headers of requests; null removes a header of the package. */
  headers: Readonly<Record<string, string | null>>;
  /**
   * Present for deployments at Azure, whose names do not show whether the model reasons: the model counts as reasoning
   * if the agent's settings have an effort.
   */
  reasonsWhenAsked?: true;
}

/** Makes the source of a model with OpenAI's chat completions, at OpenAI or at Azure. */
export function openAiSource(endpoint: OpenAiEndpoint, parts: ProviderParts): ModelSource {
  const { provider, model, choice, baseUrl, headers } = endpoint;
  return aiSdkSource({
    provider,
    model,
    account: modelAccountOf(provider, baseUrl, choice),
    usesOperatorsAccount: usesOperatorsAccount(choice),
    mayBeProbed: true,
    fetch: withHeaders(withBody(parts.fetch, choice.extraBody), headers),
    wallMs: () => parts.clock.wallMs(),
    repairs: () => new ChatRepairs(provider, toolCallIdMaker(parts.ids)),
    optionsKey: 'openai',
    load: async () => {
      const { createOpenAI } = await load();
      // A placeholder for the key, which is in the headers: without it the package would look in the environment.
      return (fetch) => createOpenAI({ apiKey: 'in-headers', baseURL: baseUrl, fetch }).chat(model);
    },
    request: ({ settings, tools, call }) => {
      const effort = reasoningEffortFor(model, settings.reasoningEffort, tools.length > 0);
      // The calls of an agent share their instructions, which OpenAI's prompt cache then finds again.
      const cacheKey = call?.agentId ?? null;
      return {
        options: {
          openai: {
            ...(effort !== null && { reasoningEffort: effort }),
            ...(effort !== null && endpoint.reasonsWhenAsked && { forceReasoning: true }),
            ...(cacheKey !== null && { promptCacheKey: cacheKey }),
          },
        },
      };
    },
  });
}
