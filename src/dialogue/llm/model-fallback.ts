import { sleep, type Clock } from '#kernel/time/clock.js';
import { ModelError, type LanguageModel, type ModelPart, type ModelRequest } from './language-model.js';
import type { ModelHealth } from './model-health.js';
import { limitedAnswer, MODEL_LIMITS, type AttemptParts, type ModelLimits } from './model-limits.js';
import type { ModelSource } from './model-source.js';

/** With less time left for the first words, the next model is asked instead of a retry. */
const LEAST_TIME_FOR_RETRY_MS = 2_000;

/** The dependencies of {@link modelWithFallback}. */
export interface FallbackParts {
  clock: Clock;
  health: ModelHealth;
  limits?: ModelLimits;
}

/**
 * A model with fallbacks: the first one of the list that is not left out (see {@link ModelHealth}) answers, within the
 * limits. If all are left out, all are tried. A model that fails before its first piece is retried once if that may
 * help and time is left; then the next model follows. After the first piece nothing is repeated: the answer fails, and
 * the next turn starts with another model if `ModelHealth` leaves this one out. `Models` of the providers module uses
 * it for each agent.
 * @param sources in order of preference, at least one
 */
export function modelWithFallback(sources: readonly ModelSource[], parts: FallbackParts): LanguageModel {
  const [first] = sources;
  if (first === undefined) throw new Error('a language model needs at least one source');
  return {
    provider: first.provider,
    model: first.model,
    stream: (request, signal) => new FallbackAnswer(sources, request, signal, parts).stream(),
  };
}

/** The answer to one request, through all models and attempts. */
class FallbackAnswer {
  readonly #sources: readonly ModelSource[];
  readonly #request: ModelRequest;
  readonly #signal: AbortSignal;
  readonly #parts: FallbackParts;
  readonly #limits: ModelLimits;
  readonly #deadlineMs: number;
  /** True once a part of an answer was yielded: no retry and no other model follows then. */
  #hasYielded = false;

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
    this.#deadlineMs = parts.clock.monotonicMs() + this.#limits.answerMs;
  }

  /** Yields the answer of the first model that gives one. @throws ModelError of the last model if none does */
  async *stream(): AsyncGenerator<ModelPart, void> {
    const { clock, health } = this.#parts;
    const available = this.#sources.filter((source) => !health.isDown(source));
    const refused = new Set<string>();
    let failure: ModelError | null = null;
    for (const source of available.length > 0 ? available : this.#sources) {
      // Another model of an account without a valid key or money would fail too.
      if (refused.has(source.account)) continue;
      failure = yield* this.#askWithRetry(source);
      if (failure === null) return;
      health.recordFailure(source, failure);
      if (failure.failure === 'refused_credentials' || failure.failure === 'quota')
        refused.add(source.account);
      if (this.#hasYielded || clock.monotonicMs() >= this.#deadlineMs) break;
    }
    if (failure !== null) throw failure;
  }

  /**
   * Asks one model, twice if that may help. Yields its answer; returns the failure, or null after success or an abort.
   */
  async *#askWithRetry(source: ModelSource): AsyncGenerator<ModelPart, ModelError | null> {
    const { clock } = this.#parts;
    const startedMs = clock.monotonicMs();
    const attempt = { clock, limits: this.#limits, startedMs, endsMs: this.#deadlineMs };
    const failure = yield* this.#askOnce(source, attempt);
    if (failure === null || !failure.retryable || this.#hasYielded) return failure;
    const leftMs = startedMs + this.#limits.firstPartMs - clock.monotonicMs() - (failure.retryAfterMs ?? 0);
    if (leftMs <= LEAST_TIME_FOR_RETRY_MS) return failure;
    if (!(await this.#waitBeforeRetry(failure.retryAfterMs ?? 0))) return null;
    return yield* this.#askOnce(source, attempt);
  }

  /** One attempt. Yields its answer; returns the failure, or null after success or an abort. */
  async *#askOnce(source: ModelSource, attempt: AttemptParts): AsyncGenerator<ModelPart, ModelError | null> {
    try {
      for await (const part of limitedAnswer(source, this.#request, this.#signal, attempt)) {
        this.#hasYielded = true;
        if (part.type === 'finish') {
          this.#parts.health.recordSuccess(source);
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
  async #waitBeforeRetry(delayMs: number): Promise<boolean> {
    if (delayMs > 0) await sleep(this.#parts.clock, delayMs, this.#signal);
    return !this.#signal.aborted;
  }
}
