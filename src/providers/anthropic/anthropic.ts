import { aiSdkSource } from '#providers/ai-sdk/ai-sdk-source.js';
import { commonSettings, type ProviderDefinition } from '#providers/provider-definition.js';
import { modelAccountOf, usesOperatorsAccount } from '#providers/wire/account.js';
import { AnthropicRepairs } from '#providers/wire/anthropic-repairs.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';

const BASE_URL = 'https://api.anthropic.com/v1';
const API_VERSION = '2023-06-01';
/**
 * Reasoning efforts that Anthropic accepts; an agent's other efforts are not sent. Without one its models do not
 * reason.
 */
const EFFORTS = new Set(['low', 'medium', 'high', 'xhigh', 'max']);

const load = () => import('@ai-sdk/anthropic');

/** The provider Anthropic: Claude models through the Messages API. Agents choose it as `ai_provider`. */
export const anthropic: ProviderDefinition = {
  name: 'anthropic',
  prefix: 'ANTHROPIC',
  settings: {
    ...commonSettings('Anthropic', { baseUrl: BASE_URL, model: 'claude-haiku-4-5' }),
    BASE_URL: {
      docs: 'Address of the API of Anthropic, or of a proxy of it, up to and with /v1.',
      fallback: BASE_URL,
    },
  },
  // The base URL alone is enough: a proxy at another address may add the key itself.
  configuredBy: [['API_KEY'], ['BASE_URL']],
  model: {
    defaultModel: ({ MODEL }) => MODEL ?? null,
    open: (model, choice, settings, parts) => {
      const baseUrl = withVersion(settings['BASE_URL'] ?? BASE_URL);
      return aiSdkSource({
        provider: 'anthropic',
        model,
        account: modelAccountOf('anthropic', baseUrl, choice),
        usesOperatorsAccount: usesOperatorsAccount(choice),
        mayBeProbed: true,
        fetch: withHeaders(withBody(parts.fetch, choice.extraBody), { ...choice.headers }),
        wallMs: () => parts.clock.wallMs(),
        repairs: () => new AnthropicRepairs('anthropic'),
        load: async () => {
          const { createAnthropic } = await load();
          const apiKey = settings['API_KEY'] ?? 'none';
          return (fetch) => createAnthropic({ apiKey, baseURL: baseUrl, fetch })(model);
        },
        wantsReasoningBack: true,
        request: ({ settings: { reasoningEffort } }) => ({
          options: {
            anthropic: {
              // Arguments of tools are only used when complete, so streaming them unchecked would save nothing.
              toolStreaming: false,
              ...(reasoningEffort !== null && EFFORTS.has(reasoningEffort) && { effort: reasoningEffort }),
            },
          },
        }),
      });
    },
    load,
    checkRequest: (settings) => ({
      url: `${withVersion(settings['BASE_URL'] ?? BASE_URL)}/models?limit=1000`,
      headers: { 'x-api-key': settings['API_KEY'] ?? '', 'anthropic-version': API_VERSION },
    }),
  },
};

/** The base URL with its version. Operators may set it without the version, as Anthropic's own software expects it. */
function withVersion(baseUrl: string): string {
  return /\/v\d+$/.test(baseUrl) ? baseUrl : `${baseUrl}/v1`;
}
