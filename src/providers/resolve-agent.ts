import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { Stt } from '#speech/stt.js';
import type { AgentRequest, RealtimeAgent, ResolveAgent } from './agent-request.js';
import type { ModelDialogues } from './model-dialogues.js';

interface ResolvingParts extends Pick<Speech, 'stt' | 'tts' | 'dialogue'> {
  /** The agent as a speech-to-speech model; null for another. */
  openRealtimeAgent(request: AgentRequest): RealtimeAgent | null;
  modelDialogues: ModelDialogues;
  /** The recogniser of a provider; null for the built-in one. */
  sttOf(provider: string): Stt | null;
}

/** Opens the providers of a call: those that were chosen for it, else the built-in ones. */
export function createAgentResolver(parts: ResolvingParts): ResolveAgent {
  const { modelDialogues } = parts;
  return (request) => {
    const { brief, playbook, providers, voice, observer } = request;
    const realtime = parts.openRealtimeAgent(request);
    if (realtime !== null) return realtime;
    return {
      dialogue:
        modelDialogues.openDialogue(request) ??
        parts.dialogue(brief, playbook, {
          outside: modelDialogues.openSteps(request),
          onStep: (step) => observer.onStep?.(step),
        }),
      stt: parts.sttOf(providers.transcription) ?? parts.stt,
      tts: parts.tts,
      voice,
      language: brief.language,
    };
  };
}
