import type { ModelSource } from '#dialogue/llm/model-source.js';
import type { ModelRequest } from '#dialogue/llm/language-model.js';
import { aiSdkSource, type AiSdkModel } from '#providers/ai-sdk/ai-sdk-source.js';
import type { ModelFactory, ProviderParts, ProviderSettings } from '#providers/provider-definition.js';
import { modelAccountOf, usesOperatorsAccount } from '#providers/wire/account.js';
import { toolCallIdMaker } from '#providers/wire/tool-call-ids.js';
import { withBody, withHeaders } from '#providers/wire/changed-request.js';
import { ChatRepairs } from '#providers/wire/chat-repairs.js';

const load = () => import('@ai-sdk/openai-compatible');

/**
 * The models of a chat-completions server. Key, address and default model come from the settings of its provider
 * (`commonSettings`). Used for the providers of `PRESETS`.
 * @param options.wantsReasoningBack see `AiSdkModel`
 */
export function chatModel(
  provider: string,
  { wantsReasoningBack }: Pick<ChatEndpoint, 'wantsReasoningBack'> = {},
): ModelFactory {
  return {
    defaultModel: ({ MODEL }) => MODEL ?? null,
    open: (model, choice, settings, parts) => {
      const baseUrl = settings['BASE_URL'] ?? '';
      return chatSource(
        {
          provider,
          model,
          baseUrl,
          account: modelAccountOf(provider, baseUrl, choice),
          usesOperatorsAccount: usesOperatorsAccount(choice),
          mayBeProbed: true,
          fetch: withHeaders(withBody(parts.fetch, choice.extraBody), {
            ...authorization(settings),
            ...choice.headers,
          }),
          ...(wantsReasoningBack && { wantsReasoningBack }),
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
  };
}

/** A model of a chat-completions server, and how requests to it are sent. */
export interface ChatEndpoint extends Pick<
  AiSdkModel,
  'provider' | 'model' | 'account' | 'usesOperatorsAccount' | 'mayBeProbed' | 'fetch' | 'wantsReasoningBack'
> {
  baseUrl: string;
  /** Additional fields of the body. */
  options(request: ModelRequest): Readonly<Record<string, unknown>>;
  /** Additional headers. */
  headers?(request: ModelRequest): Record<string, string>;
}

/**
 * Makes the source of a model on any chat-completions server, with the AI SDK's package for compatible servers. Used by
 * {@link chatModel} and the provider `custom`.
 */
export function chatSource(endpoint: ChatEndpoint, parts: ProviderParts): ModelSource {
  const { baseUrl, options, headers, ...model } = endpoint;
  return aiSdkSource({
    ...model,
    wallMs: () => parts.clock.wallMs(),
    repairs: () => new ChatRepairs(model.provider, toolCallIdMaker(parts.ids)),
    // The package reads additional fields of the body from the options under its `name`, here `chat`.
    optionsKey: 'chat',
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

/** The authorisation header; empty without a key. */
export function authorization({ API_KEY }: ProviderSettings): Record<string, string> {
  return API_KEY ? { authorization: `Bearer ${API_KEY}` } : {};
}
