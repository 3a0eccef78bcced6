import type { ToolStatus } from '#dialogue/tools/toolbox.js';

/*
 * Reports of what happened inside a call's dialogue, for metrics, costs and the call's timeline. The calls module
 * implements `DialogueObserver`.
 */

/** A finished tool call. */
export interface ToolReport {
  /** The id from the model. */
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  status: ToolStatus;
  /** The result text for the model. */
  result: string;
  /** Epoch milliseconds. */
  startedAt: number;
  latencyMs: number;
}

/** A finished request to a model; tokens are null if the provider did not count them. */
export interface ModelReport {
  /** Number of the turn among those that asked a model, from 1. */
  turn: number;
  provider: string;
  model: string;
  inputTokens: number | null;
  cachedInputTokens: number | null;
  outputTokens: number | null;
  /** Time to the first text or tool call; null if there was none. */
  firstTokenMs: number | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Why there was no complete answer; null for a complete one. */
  failure: string | null;
}

/** A sentence that a voice has spoken, or failed to speak. */
export interface VoiceReport {
  provider: string;
  model: string | null;
  voice: string | null;
  /** Characters sent to the vendor; 0 if the sentence came from the cache. */
  characters: number;
  soundMs: number;
  /** Time to the first sound; null if there was none. */
  firstSoundMs: number | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Why the sentence was not spoken to its end; null if it was. */
  failure: string | null;
}

/** Length of the sound that one recogniser received in a call, silence included. Reported at the end of the call. */
export interface HearingReport {
  provider: string;
  soundMs: number;
}

/** One speech provider replaced another during a call. */
export interface SpeechReplaced {
  /** `speaking`: a voice. `hearing`: a recogniser. */
  leg: 'speaking' | 'hearing';
  from: string;
  to: string;
  /** Why the first provider failed. */
  failure: string;
  /** True if the failed provider was in the middle of a sentence or an utterance, which the other one finished. */
  inSentence: boolean;
}

/** Receives the reports of one call: models, tools, voices and recognisers. Every method must return at once. */
export interface DialogueObserver {
  onTool(report: ToolReport): void;
  onModel(report: ModelReport): void;
  /** A playbook waits for an answer at this step. */
  onStep?(step: string): void;
  onVoice?(report: VoiceReport): void;
  onHearing?(report: HearingReport): void;
  onReplaced?(replaced: SpeechReplaced): void;
}
