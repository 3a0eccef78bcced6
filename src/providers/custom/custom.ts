import type { ModelCallFacts } from '#dialogue/llm/language-model.js';
import { chatSource } from '#providers/openai-compatible/chat-model.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { modelAccountOf } from '#providers/wire/account.js';
import { withBody, withPreparedHeaders } from '#providers/wire/changed-request.js';
import { customServerHeaders } from './custom-server-headers.js';

/** The model name sent if the agent names none: chat completions require one. */
const DEFAULT_MODEL = 'default';

/**
 * The provider `custom`: a customer's own chat-completions server, named by the agent, which decides each turn in its
 * own code. Agents choose it as `ai_provider` with `model_settings.url`. Unlike other providers, the server receives
 * facts about the call in `metadata` and `X-Call-Id`, and it can verify the service's signature
 * (`customServerHeaders`).
 */
export const custom: ProviderDefinition = {
  name: 'custom',
  prefix: 'CUSTOM',
  settings: {},
  configuredBy: [],
  model: {
    defaultModel: () => DEFAULT_MODEL,
    needsUrl: true,
    open: (model, choice, _settings, parts) => {
      const baseUrl = (choice.url ?? '').replace(/\/+$/, '');
      const signedFetch = withPreparedHeaders(parts.guardedFetch, (body) =>
        customServerHeaders(choice, body, parts.ids),
      );
      return chatSource(
        {
          provider: 'custom',
          model,
          baseUrl,
          account: modelAccountOf('custom', baseUrl, choice),
          usesOperatorsAccount: false,
          // The customer's code would mistake a probe for a call.
          mayBeProbed: false,
          fetch: withBody(signedFetch, choice.extraBody),
          options: ({ call, settings: { reasoningEffort } }) => ({
            ...(call && { metadata: metadataOf(call) }),
            ...(reasoningEffort !== null && { reasoningEffort }),
          }),
          headers: ({ call }): Record<string, string> => (call ? { 'x-call-id': call.callId } : {}),
        },
        parts,
      );
    },
    load: () => import('@ai-sdk/openai-compatible'),
    checkRequest: () => null,
  },
};

/** The facts about the call, as the field `metadata` of a request. */
function metadataOf(call: ModelCallFacts): Readonly<Record<string, unknown>> {
  return {
    call_id: call.callId,
    agent_id: call.agentId,
    direction: call.direction,
    caller_number: call.callerNumber,
    called_number: call.calledNumber,
    variables: call.variables,
    step: call.step,
  };
}
