import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { AgentRequest, ResolveAgent } from './agent-request.js';

interface ResolvingParts extends Pick<Speech, 'stt' | 'tts' | 'dialogue'> {
  /** The dialogue of an agent that talks through a language model; null for another. */
  openModelDialogue(request: AgentRequest): DialogueManager | null;
}

/** Opens the providers of a call: a language model where the agent has one, else the built-in ones. */
export function createAgentResolver({ stt, tts, dialogue, openModelDialogue }: ResolvingParts): ResolveAgent {
  return (request) => {
    const { brief, playbook, voice } = request;
    return {
      dialogue: openModelDialogue(request) ?? dialogue(brief, playbook),
      stt,
      tts,
      voice,
      language: brief.language,
    };
  };
}
