import type { ModelCallFacts } from '#dialogue/llm/language-model.js';
import { chatSource } from '#providers/openai-compatible/chat-model.js';
import type { ProviderDefinition } from '#providers/provider-definition.js';
import { accountOf } from '#providers/wire/account.js';
import { withBody, withPreparedHeaders } from '#providers/wire/changed-request.js';
import { ownersHeaders } from './owners-headers.js';

/** What is sent as the name of the model where the agent says nothing. */
const UNNAMED = 'default';

/**
 * A customer's own server, named by the agent: it speaks chat completions and decides each turn in its own code. It
 * learns of the call what other providers are not told, in `metadata` and `X-Call-Id`, and knows us by our signature.
 */
export const custom: ProviderDefinition = {
  name: 'custom',
  prefix: 'CUSTOM',
  settings: {},
  configuredBy: [],
  model: {
    defaultModel: () => UNNAMED,
    needsUrl: true,
    open: (model, choice, _settings, parts) => {
      const baseUrl = (choice.url ?? '').replace(/\/+$/, '');
      const prepared = withPreparedHeaders(parts.guardedFetch, (body) =>
        ownersHeaders(choice, body, parts.ids),
      );
      return chatSource(
        {
          provider: 'custom',
          model,
          baseUrl,
          account: accountOf('custom', baseUrl, choice),
          isOperators: false,
          // Its code would take a probe for a call.
          mayBeProbed: false,
          fetch: withBody(prepared, choice.extraBody),
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
