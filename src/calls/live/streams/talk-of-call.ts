import type { AgentRow } from '#agents/definitions/agent.js';
import type { ConversationOptions } from '#conversation/talk/conversation.js';
import type { ChosenProviders } from '#providers/choose-providers.js';
import type { AgentRequest } from '#providers/agent-request.js';
import { knownVariables, type CallFacts } from '#dialogue/known-variables.js';
import { fillVariables } from '#dialogue/variables.js';
import type { CallRow } from '#calls/record/call.js';
import type { FreeForm } from '#kernel/input/free-form.js';

/** After this much silence, the agent asks whether the caller is still there; see `MAX_IDLE_PROMPTS`. */
const IDLE_PROMPT_SECONDS = 10;
/** How often the agent asks that in a row. Then it waits for the call's silence limit. */
const MAX_IDLE_PROMPTS = 2;

/**
 * Builds the settings of the conversation on a call, and the request for its agent, from the rows of both. Used by
 * `AudioStreams`.
 * @param context.at when the conversation begins (epoch milliseconds)
 * @param context.timeZone the IANA zone in which the caller means "tomorrow"
 */
export function conversationSettingsOf(
  call: CallRow,
  agent: AgentRow,
  { timeZone, at, providers }: { timeZone: string; at: number; providers: ChosenProviders },
): Pick<ConversationOptions, 'limits' | 'isOutbound' | 'voicemail'> & {
  request: Omit<AgentRequest, 'observer'>;
} {
  const facts = factsOf(call);
  const builtInVariables = knownVariables(agent.name, facts, { at, timeZone });
  // Of two variables with the same name, the later one counts.
  const variables = {
    ...builtInVariables,
    ...asVariables(call.customer_data),
    ...asVariables(call.customer_context),
  };
  const { silence_timeout_seconds: silenceTimeoutSeconds } = call;
  return {
    request: {
      brief: {
        agentName: agent.name,
        initialMessage: agent.initial_message,
        systemPrompt: agent.system_prompt,
        language: agent.language,
        timeZone,
        region: agent.region,
        isReachable: (call.direction === 'outbound' ? call.to_phone : call.from_phone) !== '',
        variables,
      },
      otherLanguages: agent.languages,
      workspace: call.workspace,
      call: facts,
      playbook: agent.playbook,
      model: { settings: agent.model_settings, fallbacks: agent.fallbacks.ai ?? [] },
      turnTaking: agent.turn_taking,
      tools: agent.tools,
      providers,
      // A voice exists only at the provider that it was chosen for.
      voice: providers.voice === agent.voice_provider ? agent.voice : null,
      voiceSettings: agent.voice_settings,
      voiceFallbacks: agent.fallbacks.voice ?? [],
      recogniserFallbacks: agent.fallbacks.transcription ?? [],
    },
    limits: {
      silenceTimeoutSeconds,
      idlePromptSeconds: Math.min(IDLE_PROMPT_SECONDS, silenceTimeoutSeconds / 2),
      maxIdlePrompts: MAX_IDLE_PROMPTS,
    },
    isOutbound: call.direction === 'outbound',
    voicemail: voicemailOf(agent, variables),
  };
}

/** The facts about a call that the agent knows; unknown numbers are null. */
function factsOf(call: CallRow): CallFacts {
  return {
    callId: call.id,
    agentId: call.agent_id,
    direction: call.direction,
    callerNumber: call.from_phone || null,
    calledNumber: call.to_phone || null,
  };
}

/** The agent's behaviour at an answering machine, with the variables in its message filled in. */
function voicemailOf(
  { voicemail, name }: AgentRow,
  variables: Record<string, string>,
): AgentRow['voicemail'] {
  if (voicemail.action !== 'leave_message') return voicemail;
  return {
    ...voicemail,
    message: fillVariables(voicemail.message, [variables, { agent_name: name }]),
  };
}

/** Template variables are text: other values are written as JSON, and null values are left out. */
function asVariables(data: FreeForm): Record<string, string> {
  const entries = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(
    entries.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
