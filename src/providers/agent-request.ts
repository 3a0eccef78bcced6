import type { AgentBrief, DialogueManager } from '#dialogue/dialogue-manager.js';
import type { DialogueObserver } from '#dialogue/dialogue-observer.js';
import type { CallFacts } from '#dialogue/known-variables.js';
import type {
  AgentModelSettings,
  NamedModel,
  NamedRecogniser,
  NamedVoice,
} from '#dialogue/llm/agent-model.js';
import type { TurnTaking } from '#dialogue/turn-taking.js';
import type { Playbook } from '#playbook/definition/playbook.js';
import type { ChosenProviders } from './choose-providers.js';
import type { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import type { Realtime } from '#speech/realtime.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';

/**
 * Everything that {@link ResolveAgent} needs to open the agent of one call. The module `calls` builds it when the call
 * has audio (`talk-of-call.ts`), and for the call that offers a caller to a person, in a warm transfer
 * (`offer-dialogue.ts`).
 */
export interface AgentRequest {
  workspace: string;
  call: CallFacts;
  /** The agent's texts, language and variables. */
  brief: AgentBrief;
  /** Language tags that the agent changes to if its caller speaks them, in addition to its own. */
  otherLanguages: readonly string[];
  /** Null for an agent without a playbook. */
  playbook: Playbook | null;
  /** The settings of the language model, and its fallbacks in order. */
  model: { settings: AgentModelSettings; fallbacks: readonly NamedModel[] };
  /** The agent's settings of turn-taking, such as whether replies are prepared early. */
  turnTaking: TurnTaking;
  /** The tool definitions as stored with the agent. */
  tools: readonly unknown[];
  /** Receives reports for the record of the call: steps, tool calls, and the times and failures of providers. */
  observer: DialogueObserver;
  /** The providers of the call, as `chooseProviders` has chosen them. */
  providers: ChosenProviders;
  /** One of the voices of `providers.voice`; null for its default. */
  voice: string | null;
  voiceSettings: VoiceSettings;
  /** Fallback voices, in order. */
  voiceFallbacks: readonly NamedVoice[];
  /** Fallback recognisers, in order. */
  recogniserFallbacks: readonly NamedRecogniser[];
}

/** The agent of one call, with its providers opened. */
export type ResolvedAgent = SpeakingAgent | RealtimeAgent;

/** An agent with a speech-to-speech model, which recognises, decides and speaks by itself. */
export interface RealtimeAgent {
  realtime: Realtime;
  dialogue: RealtimeDialogue;
  /** One of the voices of `realtime`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** An agent with a recogniser, a dialogue manager and a voice. */
interface SpeakingAgent {
  dialogue: DialogueManager;
  stt: Stt;
  tts: Tts;
  /** One of the voices of `tts`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** Opens the agent of a call, once, when the call has audio. `createAgentResolver` makes the function. */
export type ResolveAgent = (request: AgentRequest) => ResolvedAgent;
