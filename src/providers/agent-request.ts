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

/** What opening the agent of one call needs. */
export interface AgentRequest {
  workspace: string;
  call: CallFacts;
  brief: AgentBrief;
  /** Language tags that the agent changes to if its caller speaks them, in addition to its own. */
  otherLanguages: readonly string[];
  playbook: Playbook | null;
  /** The settings of the language model, and its fallbacks in order. */
  model: { settings: AgentModelSettings; fallbacks: readonly NamedModel[] };
  turnTaking: TurnTaking;
  /** The tool definitions as stored with the agent. */
  tools: readonly unknown[];
  /** Receives events of the dialogue manager other than speech. */
  observer: DialogueObserver;
  providers: ChosenProviders;
  /** One of the voices of `providers.voice`; null for its default. */
  voice: string | null;
  voiceSettings: VoiceSettings;
  /** Fallback voices, in order. */
  voiceFallbacks: readonly NamedVoice[];
  /** Fallback recognisers, in order. */
  recogniserFallbacks: readonly NamedRecogniser[];
}

/** The opened providers of an agent for one call. */
export type ResolvedAgent = SpeakingAgent | RealtimeAgent;

/** A speech-to-speech model. */
export interface RealtimeAgent {
  realtime: Realtime;
  dialogue: RealtimeDialogue;
  /** One of the voices of `realtime`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** A recogniser, a dialogue manager and a voice. */
interface SpeakingAgent {
  dialogue: DialogueManager;
  stt: Stt;
  tts: Tts;
  /** One of the voices of `tts`; null for its default. */
  voice: string | null;
  language: CallLanguage;
}

/** Opens the providers of a call; called once, when the call has audio. */
export type ResolveAgent = (request: AgentRequest) => ResolvedAgent;
