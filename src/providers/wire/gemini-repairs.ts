import { badAnswer, streamedError } from '#dialogue/llm/model-errors.js';
import type { Chunk, StreamRepairs } from './repaired-stream.js';

/** The values of `finishReason` for a malformed answer. A repeated request may get a valid answer. */
const MALFORMED_REASONS = /^(MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS)$/;

/**
 * Checks one streamed answer of Gemini's `streamGenerateContent`, which can look complete although it failed: malformed
 * and empty answers become errors. Chunks pass unchanged. Used by the provider `google`.
 */
export class GeminiRepairs implements StreamRepairs {
  readonly #provider: string;
  /** True if the answer has words or a function call; thoughts do not count. */
  #hasContent = false;
  /** True after an end mark (`finishReason`) that means no failure, and for a blocked prompt. */
  isComplete = false;
  /** Always false: token counts may follow the end mark, so the stream is read to its end. */
  readonly isOver = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  /** Returns the chunk. @throws {ModelError} for an error, and for an answer that ends malformed or empty */
  repair(chunk: Chunk): readonly Chunk[] {
    if (chunk['error'] !== undefined && chunk['error'] !== null)
      throw streamedError(this.#provider, chunk['error']);
    const candidates = Array.isArray(chunk['candidates']) ? chunk['candidates'] : [];
    const candidate = candidates[0] as { content?: { parts?: Chunk[] }; finishReason?: string } | undefined;
    // A blocked prompt has neither candidates nor an end mark. The empty answer is complete, not cut.
    const feedback = chunk['promptFeedback'] as { blockReason?: string } | undefined;
    if (feedback?.blockReason !== undefined) this.isComplete = true;
    const parts = Array.isArray(candidate?.content?.parts) ? candidate.content.parts : [];
    this.#hasContent ||= parts.some(
      (part) =>
        'functionCall' in part ||
        (part['thought'] !== true && typeof part['text'] === 'string' && part['text'] !== ''),
    );
    const reason = candidate?.finishReason;
    if (typeof reason !== 'string' || reason === '') return [chunk];
    if (MALFORMED_REASONS.test(reason)) throw badAnswer(this.#provider, `ended its answer with ${reason}`);
    if (reason === 'STOP' && !this.#hasContent)
      throw badAnswer(this.#provider, 'ended an answer that is empty');
    this.isComplete = true;
    return [chunk];
  }
}
