import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import type { Playbook } from '#playbook/book/playbook.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';

/** Which providers a call asks for, and what they are to do; nulls leave a choice to the service. */
export interface AgentRequest {
  brief: AgentBrief;
  playbook: Playbook | null;
  ai: { provider: string; model: string | null };
  voice: { provider: string; name: string | null };
  transcription: { provider: string | null };
}

/** Who hears, decides and speaks for an agent on one call. */
export interface ResolvedAgent {
  dialogue: DialogueManager;
  stt: Stt;
  tts: Tts;
  /** One of the voices of `tts`; null for its default. */
  voice: string | null;
  /** A language tag such as `en-US`. */
  language: string;
}

/** Opens the providers of a call; called once, when its audio is there. */
export type ResolveAgent = (request: AgentRequest) => ResolvedAgent;
