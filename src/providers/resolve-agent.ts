import type { DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { Stt } from '#speech/stt.js';
import type { AgentRequest, RealtimeAgent, ResolveAgent } from './agent-request.js';

interface ResolvingParts extends Pick<Speech, 'stt' | 'tts' | 'dialogue'> {
  /** The agent as a speech-to-speech model; null for another. */
  openRealtimeAgent(request: AgentRequest): RealtimeAgent | null;
  /** The dialogue of an agent that talks through a language model; null for another. */
  openModelDialogue(request: AgentRequest): DialogueManager | null;
  /** The recogniser of a provider; null for the built-in one. */
  sttOf(provider: string): Stt | null;
}

/** Opens the providers of a call: those that were chosen for it, else the built-in ones. */
export function createAgentResolver(parts: ResolvingParts): ResolveAgent {
  return (request) => {
    const { brief, playbook, providers, voice, observer } = request;
    const realtime = parts.openRealtimeAgent(request);
    if (realtime !== null) return realtime;
    return {
      dialogue:
        parts.openModelDialogue(request) ??
        parts.dialogue(brief, playbook, (step) => observer.onStep?.(step)),
      stt: parts.sttOf(providers.transcription) ?? parts.stt,
      tts: parts.tts,
      voice,
      language: brief.language,
    };
  };
}
