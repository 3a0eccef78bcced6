import type { ToolStatus } from '#dialogue/tools/toolbox.js';

/** A call of a tool that is over. */
export interface ToolReport {
  /** The id that the model gave it. */
  id: string;
  name: string;
  /** JSON text as the model wrote it. */
  arguments: string;
  status: ToolStatus;
  /** What the model was told. */
  result: string;
  /** Epoch milliseconds. */
  startedAt: number;
  latencyMs: number;
}

/** One request to a model that is over; tokens are null where the provider did not count them. */
export interface ModelReport {
  /** Of the turns in which a model was asked, which one, from 1. */
  turn: number;
  provider: string;
  model: string;
  inputTokens: number | null;
  cachedInputTokens: number | null;
  outputTokens: number | null;
  /** To the first text or tool; null where none came. */
  firstTokenMs: number | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Why there was no whole answer; null where there was. */
  failure: string | null;
}

/** A sentence that a voice has spoken, or failed to. */
export interface VoiceReport {
  provider: string;
  model: string | null;
  voice: string | null;
  /** As the vendor was given them; 0 where the sentence was kept from before. */
  characters: number;
  soundMs: number;
  /** To the first sound; null where none came. */
  firstSoundMs: number | null;
  /** Epoch milliseconds. */
  startedAt: number;
  /** Why it was not spoken to the end; null where it was. */
  failure: string | null;
}

/** How much sound a recogniser was given in a call, silence included. */
export interface HearingReport {
  provider: string;
  soundMs: number;
}

/** A provider of speech gave way to another in mid-call. */
export interface SpeechReplaced {
  leg: 'speaking' | 'hearing';
  from: string;
  to: string;
  failure: string;
  /** Whether it had begun a sentence, or an utterance: then the other has finished it. */
  inSentence: boolean;
}

/** Told what a dialogue manager does beside talking. Must return at once. */
export interface DialogueObserver {
  onTool(report: ToolReport): void;
  onModel(report: ModelReport): void;
  /** A playbook waits for an answer at this step. */
  onStep?(step: string): void;
  onVoice?(report: VoiceReport): void;
  onHearing?(report: HearingReport): void;
  onReplaced?(replaced: SpeechReplaced): void;
}
