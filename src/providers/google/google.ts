import { aiSdkSource } from '#providers/ai-sdk/ai-sdk-source.js';
import { commonSettings, type ProviderDefinition } from '#providers/provider-definition.js';
import { modelAccountOf, usesOperatorsAccount } from '#providers/wire/account.js';
import { toolCallIdMaker } from '#providers/wire/tool-call-ids.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';
import { GeminiRepairs } from '#providers/wire/gemini-repairs.js';
import { geminiThinkingFor } from './gemini-thinking.js';

const BASE_URL = 'https://generativelanguage.googleapis.com/v1beta';

const load = () => import('@ai-sdk/google');

/**
 * The provider Google: Gemini's models through the API with a key. Gemini on Vertex AI has a package of its own, which
 * the operator can install (`AI_SDK_PROVIDERS`). Agents name it as `ai_provider`.
 */
export const google: ProviderDefinition = {
  name: 'google',
  prefix: 'GEMINI',
  settings: {
    ...commonSettings('Gemini', { baseUrl: BASE_URL, model: 'gemini-2.5-flash' }),
    API_KEY: {
      docs: 'API key of Gemini.',
      fallback: null,
      secret: true,
      aliases: ['GOOGLE_GENERATIVE_AI_API_KEY', 'GOOGLE_API_KEY'],
    },
    BASE_URL: {
      docs: 'Address of the API of Gemini, or of a proxy of it, up to and with /v1beta.',
      fallback: BASE_URL,
    },
  },
  // A proxy at another address may add the key itself.
  configuredBy: [['API_KEY'], ['BASE_URL']],
  model: {
    defaultModel: ({ MODEL }) => MODEL ?? null,
    open: (model, choice, settings, parts) => {
      const baseUrl = settings['BASE_URL'] ?? BASE_URL;
      return aiSdkSource({
        provider: 'google',
        model,
        account: modelAccountOf('google', baseUrl, choice),
        usesOperatorsAccount: usesOperatorsAccount(choice),
        mayBeProbed: true,
        fetch: withHeaders(withBody(parts.fetch, choice.extraBody), { ...choice.headers }),
        wallMs: () => parts.clock.wallMs(),
        repairs: () => new GeminiRepairs('google'),
        load: async () => {
          const { createGoogleGenerativeAI } = await load();
          // The package requires a key; a proxy without a configured key ignores it.
          const apiKey = settings['API_KEY'] ?? 'none';
          const generateId = toolCallIdMaker(parts.ids);
          return (fetch) => createGoogleGenerativeAI({ apiKey, baseURL: baseUrl, fetch, generateId })(model);
        },
        request: ({ settings: { reasoningEffort } }) => {
          const thinkingConfig = geminiThinkingFor(model, reasoningEffort);
          return { options: { google: { ...(thinkingConfig && { thinkingConfig }) } } };
        },
      });
    },
    load,
    checkRequest: (settings) => ({
      url: `${settings['BASE_URL'] ?? BASE_URL}/models?pageSize=1000`,
      headers: { 'x-goog-api-key': settings['API_KEY'] ?? '' },
    }),
  },
};
