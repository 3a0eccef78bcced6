import type { Speech } from '#providers/builtin/built-in-speech.js';
import type { ResolveAgent } from './agent-request.js';

/** Opens the built-in providers, whichever a call asks for. */
export function createAgentResolver({
  stt,
  tts,
  dialogue,
}: Pick<Speech, 'stt' | 'tts' | 'dialogue'>): ResolveAgent {
  return ({ brief, playbook, voice }) => ({
    dialogue: dialogue(brief, playbook),
    stt,
    tts,
    voice,
    language: brief.language,
  });
}
