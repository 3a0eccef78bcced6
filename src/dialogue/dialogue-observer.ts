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

/** Told what a dialogue manager does beside talking. Must return at once. */
export interface DialogueObserver {
  onTool(report: ToolReport): void;
  onModel(report: ModelReport): void;
  /** A playbook waits for an answer at this step. */
  onStep?(step: string): void;
}
