import { sleep, type Clock } from '#kernel/time/clock.js';
import { ModelError, type LanguageModel, type ModelPart, type ModelRequest } from './language-model.js';
import type { ModelHealth } from './model-health.js';
import { limitedAnswer, MODEL_LIMITS, type AttemptParts, type ModelLimits } from './model-limits.js';
import type { ModelSource } from './model-source.js';

/** With less time left until the first words, another model is a better bet than a retry. */
const WORTH_A_RETRY_MS = 2_000;

export interface FallbackParts {
  clock: Clock;
  health: ModelHealth;
  limits?: ModelLimits;
}

/**
 * A model with fallbacks: the first one of the list that is up answers, within the limits. A model that fails before
 * its first piece is retried once if that may help and time is left; then the next model follows. After the first piece
 * nothing is repeated: the answer fails, and the next turn starts with the next model.
 * @param sources in order of preference, at least one
 */
export function modelWithFallback(sources: readonly ModelSource[], parts: FallbackParts): LanguageModel {
  const [first] = sources;
  if (first === undefined) throw new Error('a language model needs at least one source');
  return {
    provider: first.provider,
    model: first.model,
    stream: (request, signal) => new Answer(sources, request, signal, parts).stream(),
  };
}

/** One answer, through all its attempts. */
class Answer {
  readonly #sources: readonly ModelSource[];
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #parts: FallbackParts;
  readonly #limits: ModelLimits;
  readonly #endsMs: number;
  #hasGivenOut = false;

  constructor(
    sources: readonly ModelSource[],
    request: ModelRequest,
    signal: AbortSignal,
    parts: FallbackParts,
  ) {
    this.#sources = sources;
    this.#request = request;
    this.#signal = signal;
    this.#parts = parts;
    this.#limits = parts.limits ?? MODEL_LIMITS;
    this.#endsMs = parts.clock.monotonicMs() + this.#limits.answerMs;
  }

  async *stream(): AsyncGenerator<ModelPart, void> {
    const { clock, health } = this.#parts;
    const stopWaiting = clock.after(this.#limits.slowMs, () => {
      if (!this.#hasGivenOut && !this.#signal.aborted) this.#request.onSlow?.();
    });
    try {
      const up = this.#sources.filter((source) => !health.isDown(source));
      const refused = new Set<string>();
      let failure: ModelError | null = null;
      for (const source of up.length > 0 ? up : this.#sources) {
        // Another model of an account without a valid key or money would fail too.
        if (refused.has(source.account)) continue;
        failure = yield* this.#askTwice(source);
        if (failure === null) return;
        health.failed(source, failure);
        if (failure.failure === 'refused_credentials' || failure.failure === 'quota')
          refused.add(source.account);
        if (this.#hasGivenOut || clock.monotonicMs() >= this.#endsMs) break;
      }
      if (failure !== null) throw failure;
    } finally {
      stopWaiting();
    }
  }

  /** Yields the parts of the answer; returns the failure, or null after success or an abort. */
  async *#askTwice(source: ModelSource): AsyncGenerator<ModelPart, ModelError | null> {
    const { clock } = this.#parts;
    const startedMs = clock.monotonicMs();
    const attempt = { clock, limits: this.#limits, startedMs, endsMs: this.#endsMs };
    const failure = yield* this.#ask(source, attempt);
    if (failure === null || !failure.retryable || this.#hasGivenOut) return failure;
    const leftMs = startedMs + this.#limits.firstPartMs - clock.monotonicMs() - (failure.retryAfterMs ?? 0);
    if (leftMs <= WORTH_A_RETRY_MS) return failure;
    if (!(await this.#waited(failure.retryAfterMs ?? 0))) return null;
    return yield* this.#ask(source, attempt);
  }

  async *#ask(source: ModelSource, attempt: AttemptParts): AsyncGenerator<ModelPart, ModelError | null> {
    try {
      for await (const part of limitedAnswer(source, this.#request, this.#signal, attempt)) {
        this.#hasGivenOut = true;
        if (part.type === 'finish') {
          this.#parts.health.worked(source);
          const { provider, model } = source;
          yield { ...part, answeredBy: { provider, model } };
        } else {
          yield part;
        }
      }
      return null;
    } catch (error) {
      if (this.#signal.aborted) return null;
      if (error instanceof ModelError) return error;
      throw error;
    }
  }

  /** Waits as long as the provider asked for; false if the request was aborted meanwhile. */
  async #waited(delayMs: number): Promise<boolean> {
    if (delayMs > 0) await sleep(this.#parts.clock, delayMs, this.#signal);
    return !this.#signal.aborted;
  }
}
