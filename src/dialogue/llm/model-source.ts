import type { ModelPart, ModelRequest } from './language-model.js';

/** What comes from a model, with the signs of life that limits are measured by. */
export type ModelEvent =
  | ModelPart
  /** The provider has accepted the request: headers of the answer are there. */
  | { type: 'accepted' }
  /** The model has named a tool; its arguments are still coming. */
  | { type: 'tool_named' }
  /** Reasoning or arguments: the stream lives, and the caller hears nothing of it. */
  | { type: 'working' };

/**
 * A model as an adapter offers it: one attempt at an answer, without limits, retries or fallback, which are the same
 * for every provider (`model-limits.ts`, `model-fallback.ts`).
 */
export interface ModelSource {
  readonly provider: string;
  readonly model: string;
  /** Where its requests go and with which key: a wrong key or an empty account is a matter of the whole account. */
  readonly account: string;
  /** Whether key and address are settings of the operator, which only a restart changes. */
  readonly isOperators: boolean;
  /**
   * Streams one answer. Aborting closes the connection.
   * @throws {ModelError}
   */
  open(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** Whether a model that failed may be tried with a tiny request nobody asked for. */
  readonly mayBeProbed: boolean;
}
