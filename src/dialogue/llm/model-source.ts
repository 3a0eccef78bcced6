import type { ModelPart, ModelRequest } from './language-model.js';

/** An event of a model's stream: a part of the answer, or a sign of life for the time limits. */
export type ModelEvent =
  | ModelPart
  /** The provider has accepted the request: the headers of the answer are there. */
  | { type: 'accepted' }
  /** The model has named a tool; the arguments are still coming. */
  | { type: 'tool_named' }
  /** Reasoning or arguments: the stream is alive, without anything to speak. */
  | { type: 'working' };

/**
 * A model as an adapter in src/providers offers it: one attempt at an answer. Time limits, retries and fallbacks are
 * the same for every provider and added by `model-limits.ts` and `model-fallback.ts`.
 */
export interface ModelSource {
  readonly provider: string;
  readonly model: string;
  /** Identifies address and key of its requests: a wrong key or an empty account affects all models of the account. */
  readonly account: string;
  /** True if key and address are settings of the operator, which only a restart changes. */
  readonly usesOperatorsAccount: boolean;
  /**
   * Streams one answer. Aborting closes the connection.
   * @throws {ModelError}
   */
  open(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelEvent>;
  /** True if a failed model may be probed with a tiny request of our own. */
  readonly mayBeProbed: boolean;
}
