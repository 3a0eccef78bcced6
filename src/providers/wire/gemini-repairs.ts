import { badAnswer, streamedError } from '#dialogue/llm/model-errors.js';
import type { Chunk, StreamRepairs } from './repaired-stream.js';

/** End reasons for a malformed answer, which a retry may fix. */
const SPOILT = /^(MALFORMED_FUNCTION_CALL|UNEXPECTED_TOOL_CALL|TOO_MANY_TOOL_CALLS)$/;

/** Repairs Gemini's `streamGenerateContent`, whose answers can look complete although they failed. */
export class GeminiRepairs implements StreamRepairs {
  readonly #provider: string;
  #hasContent = false;
  isComplete = false;
  /** Token counts may follow the end mark. */
  readonly isOver = false;

  constructor(provider: string) {
    this.#provider = provider;
  }

  repair(chunk: Chunk): readonly Chunk[] {
    if (chunk['error'] !== undefined && chunk['error'] !== null)
      throw streamedError(this.#provider, chunk['error']);
    const candidates = Array.isArray(chunk['candidates']) ? chunk['candidates'] : [];
    const candidate = candidates[0] as { content?: { parts?: Chunk[] }; finishReason?: string } | undefined;
    // The prompt was blocked: there are no candidates.
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
    if (SPOILT.test(reason)) throw badAnswer(this.#provider, `ended its answer with ${reason}`);
    if (reason === 'STOP' && !this.#hasContent)
      throw badAnswer(this.#provider, 'ended an answer that is empty');
    this.isComplete = true;
    return [chunk];
  }
}
