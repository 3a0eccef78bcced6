import type { AgentRow } from '#agents/definitions/agent.js';
import type { ConversationOptions } from '#conversation/talk/conversation.js';
import type { ChosenProviders } from '#providers/choose-providers.js';
import type { AgentRequest } from '#providers/agent-request.js';
import { knownVariables, type CallFacts } from '#dialogue/known-variables.js';
import { fillVariables } from '#dialogue/variables.js';
import type { CallRow } from '#calls/record/call.js';
import type { FreeForm } from '#kernel/input/free-form.js';

/** The silence ladder before the silence limit: when the agent asks whether somebody is there, and how often. */
const IDLE_PROMPT_SECONDS = 10;
const MAX_IDLE_PROMPTS = 2;

/**
 * How an agent talks on a call, and what it knows of it.
 * @param told.at when the talk begins
 * @param told.timeZone IANA zone by which the other end means "tomorrow"
 */
export function talkOf(
  call: CallRow,
  agent: AgentRow,
  { timeZone, at, providers }: { timeZone: string; at: number; providers: ChosenProviders },
): Pick<ConversationOptions, 'limits' | 'isOutbound' | 'voicemail'> & {
  request: Omit<AgentRequest, 'observer'>;
} {
  const facts = factsOf(call);
  const known = knownVariables(agent.name, facts, { at, timeZone });
  const variables = { ...known, ...asVariables(call.customer_data), ...asVariables(call.customer_context) };
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
      // A voice belongs to the provider it was named with.
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

function factsOf(call: CallRow): CallFacts {
  return {
    callId: call.id,
    agentId: call.agent_id,
    direction: call.direction,
    callerNumber: call.from_phone || null,
    calledNumber: call.to_phone || null,
  };
}

function voicemailOf({ voicemail, name }: AgentRow, known: Record<string, string>): AgentRow['voicemail'] {
  if (voicemail.action !== 'leave_message') return voicemail;
  return { ...voicemail, message: fillVariables(voicemail.message, [known, { agent_name: name }]) };
}

/** Texts hold words: what is not text is written as JSON, and what is null is not there. */
function asVariables(data: FreeForm): Record<string, string> {
  const known = Object.entries(data).filter(([, value]) => value !== null);
  return Object.fromEntries(
    known.map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)]),
  );
}
