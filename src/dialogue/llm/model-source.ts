import type { ModelPart, ModelRequest } from './language-model.js';

/** An event of a model's stream, including those that only reset the limits. */
export type ModelEvent =
  | ModelPart
  /** The provider has accepted the request: the headers of the answer are there. */
  | { type: 'accepted' }
  /** The model has named a tool; the arguments are still coming. */
  | { type: 'tool_named' }
  /** Reasoning or arguments: the stream is alive, without anything to speak. */
  | { type: 'working' };

/**
 * A model as an adapter offers it: one attempt at an answer, without limits, retries or fallback, which are the same
 * for every provider (`model-limits.ts`, `model-fallback.ts`).
 */
export interface ModelSource {
  readonly provider: string;
  readonly model: string;
  /** Address and key of its requests: a wrong key or an empty account affects the whole account. */
  readonly account: string;
  /** True if key and address are settings of the operator, which only a restart changes. */
  readonly isOperators: boolean;
  /**
   * Streams one answer. Aborting closes the connection.
   * @throws {ModelError}
   */
  open(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** True if a failed model may be probed with a tiny request of our own. */
  readonly mayBeProbed: boolean;
}
