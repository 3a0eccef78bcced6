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
import type { Playbook } from '#playbook/book/playbook.js';
import type { ChosenProviders } from './choose-providers.js';
import type { RealtimeDialogue } from '#dialogue/realtime-dialogue.js';
import type { Realtime } from '#speech/realtime.js';
import type { CallLanguage } from '#language/languages/call-language.js';
import type { Stt } from '#speech/stt.js';
import type { Tts } from '#speech/tts.js';
import type { VoiceSettings } from '#speech/voice-settings.js';

/** What an agent is opened with for one call. */
export interface AgentRequest {
  workspace: string;
  call: CallFacts;
  brief: AgentBrief;
  /** Tags of the languages that it changes to where its caller speaks them, beside its own. */
  otherLanguages: readonly string[];
  playbook: Playbook | null;
  /** How the language model answers, and which take its place when it fails. */
  model: { settings: AgentModelSettings; fallbacks: readonly NamedModel[] };
  turnTaking: TurnTaking;
  /** As the agent keeps them. */
  tools: readonly unknown[];
  /** Told what the dialogue manager does beside talking. */
  observer: DialogueObserver;
  providers: ChosenProviders;
  /** One of the voices of `providers.voice`; null for its default. */
  voice: string | null;
  voiceSettings: VoiceSettings;
  /** Which voices take its place when it fails, in order. */
  voiceFallbacks: readonly NamedVoice[];
  /** Which recognisers take its place when it fails, in order. */
  recogniserFallbacks: readonly NamedRecogniser[];
}

/** What hears, decides and speaks for an agent on one call. */
export type ResolvedAgent = SpeakingAgent | RealtimeAgent;

/** A model that hears and speaks by itself. */
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

/** Opens the providers of a call; called once, when its audio is there. */
export type ResolveAgent = (request: AgentRequest) => ResolvedAgent;
