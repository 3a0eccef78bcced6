import { inLanguage, systemTextOf } from '#dialogue/prompt/system-text.js';
import { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import { fillVariables } from '#dialogue/variables.js';
import type { Realtime } from '#speech/realtime.js';
import type { AgentRequest, RealtimeAgent } from './agent-request.js';
import { openCallTools, callLanguageOf, type CallToolsParts } from './call-tools.js';

/** The dependencies of {@link createRealtimeAgentOpener}. */
interface RealtimeAgentParts extends CallToolsParts {
  /** The speech-to-speech model of a provider; null if there is none, or it cannot be used. */
  realtimeOf(provider: string, model: string | null): Realtime | null;
}

/**
 * Returns the function that opens the agent of a call as a speech-to-speech model, for `createAgentResolver`. That
 * function returns null for an agent with a playbook, without a prompt, or without a usable speech-to-speech model.
 */
export function createRealtimeAgentOpener(
  parts: RealtimeAgentParts,
): (request: AgentRequest) => RealtimeAgent | null {
  return (request) => {
    const { brief, playbook, providers, voice, observer } = request;
    if (playbook !== null || brief.systemPrompt === null) return null;
    const realtime = parts.realtimeOf(providers.ai, providers.model);
    if (realtime === null) return null;
    const { memory, toolbox, control } = openCallTools(request, parts);
    const dialogue = new RealtimeDialogue({
      instructions: inLanguage(
        systemTextOf({ systemPrompt: brief.systemPrompt, variables: memory.variables }),
        callLanguageOf(brief),
      ),
      initialMessage: fillVariables(brief.initialMessage, [memory.variables]),
      memory,
      toolbox,
      control,
      observer,
      clock: parts.clock,
    });
    return { realtime, dialogue, voice, language: callLanguageOf(brief) };
  };
}
