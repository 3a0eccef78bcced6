import type { Clock } from '#kernel/time/clock.js';
import { ModelError, type ModelPart, type ModelRequest } from './language-model.js';
import { cutError } from './model-errors.js';
import type { ModelEvent, ModelSource } from './model-source.js';

/** Time limits of a model, in milliseconds; a caller is waiting on the line. */
export interface ModelLimits {
  /** Until the headers of the answer, connecting included. */
  acceptedMs: number;
  /** Until the first text or the name of a tool; comments and reasoning do not prolong it. */
  firstPartMs: number;
  /** Between two events after that. */
  silenceMs: number;
  /** For the whole answer. */
  answerMs: number;
}

/** The limits of all models. */
export const MODEL_LIMITS: ModelLimits = {
  acceptedMs: 3_000,
  firstPartMs: 5_000,
  silenceMs: 4_000,
  answerMs: 30_000,
};

/**
 * The abort reason of every connection that is closed. One shared object: nothing reads it, and a new error per answer
 * is slow.
 */
const ANSWER_OVER = new Error('the answer is over');

/** The clock and limits of one attempt. */
export interface AttemptParts {
  clock: Clock;
  limits: ModelLimits;
  /** Start of the first attempt (monotonic): a second attempt has only the time that the first left. */
  startedMs: number;
  /** When the answer must be complete, whichever model gives it (monotonic). */
  endsMs: number;
}

/**
 * One attempt at an answer within the time limits. When a limit passes, or the iteration ends early, the connection is
 * closed at once; a source that never settles blocks nothing. Used by `modelWithFallback` and `ModelHealth`.
 * @throws {ModelError} when a limit passes, or the source fails
 */
export async function* limitedAnswer(
  source: ModelSource,
  request: ModelRequest,
  signal: AbortSignal,
  parts: AttemptParts,
): AsyncGenerator<ModelPart, void> {
  const connection = new AbortController();
  const close = () => connection.abort(ANSWER_OVER);
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  const limiter = new TimeLimiter(source, parts, connection.signal);
  const events = source.open(request, connection.signal)[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await limiter.within(events.next());
      if (next === 'aborted') return;
      // A source must report that its answer is complete; a stream that merely ends was cut.
      if (next.done) throw cutError(source.provider);
      limiter.noteEvent(next.value);
      if (isPart(next.value)) yield next.value;
      if (next.value.type === 'finish') return;
    }
  } finally {
    signal.removeEventListener('abort', close);
    close();
    // Not awaited: closing the connection ends it, and a caller must not wait for that.
    events.return?.().catch(() => {});
  }
}

/** True for a part of the answer; false for an event that only shows progress, such as `accepted`. */
function isPart(event: ModelEvent): event is ModelPart {
  return event.type === 'text' || event.type === 'tool_call' || event.type === 'finish';
}

/** Applies the time limits to the events of one attempt, by the stage of the answer. */
class TimeLimiter {
  readonly #source: ModelSource;
  readonly #parts: AttemptParts;
  readonly #aborted: Promise<'aborted'>;
  /** `accepted`: the headers of the answer are there. `answering`: text or a tool name has arrived. */
  #stage: 'connecting' | 'accepted' | 'answering' = 'connecting';

  constructor(source: ModelSource, parts: AttemptParts, signal: AbortSignal) {
    this.#source = source;
    this.#parts = parts;
    this.#aborted = new Promise((resolve) => {
      if (signal.aborted) resolve('aborted');
      signal.addEventListener('abort', () => resolve('aborted'), { once: true });
    });
  }

  /** Takes an event of the answer, which may begin the next stage. */
  noteEvent(event: ModelEvent): void {
    if (event.type === 'accepted') this.#stage = 'accepted';
    else if (event.type !== 'working') this.#stage = 'answering';
  }

  /** The result of `work`, unless the request is aborted or the next limit passes first. */
  async within<Result>(work: Promise<Result>): Promise<Result | 'aborted'> {
    const { clock } = this.#parts;
    const { atMs, problem } = this.#nextLimit(clock.monotonicMs());
    let cancel = () => {};
    const passed = new Promise<never>((_resolve, reject) => {
      cancel = clock.after(atMs - clock.monotonicMs(), () => reject(this.#timeout(problem)));
    });
    // An event after the limit, or a rejection after an abort, has no listener left.
    work.catch(() => {});
    return Promise.race([this.#aborted, work, passed]).finally(cancel);
  }

  /** The limit that passes first, and the words for its error. */
  #nextLimit(nowMs: number): { atMs: number; problem: string } {
    const { limits, startedMs, endsMs } = this.#parts;
    const end = { atMs: endsMs, problem: `did not complete its answer within ${limits.answerMs} ms` };
    const firstPart = {
      atMs: startedMs + limits.firstPartMs,
      problem: `said nothing within ${limits.firstPartMs} ms`,
    };
    const stages = {
      connecting: [
        {
          atMs: nowMs + limits.acceptedMs,
          problem: `did not accept the request within ${limits.acceptedMs} ms`,
        },
        firstPart,
      ],
      accepted: [firstPart],
      answering: [{ atMs: nowMs + limits.silenceMs, problem: `fell silent for ${limits.silenceMs} ms` }],
    };
    return [...stages[this.#stage], end].reduce((earliest, limit) =>
      limit.atMs < earliest.atMs ? limit : earliest,
    );
  }

  #timeout(problem: string): ModelError {
    const { provider, model } = this.#source;
    return new ModelError(`${provider} (${model}) ${problem}`, {
      provider,
      failure: 'timeout',
      retryable: this.#stage !== 'answering',
    });
  }
}
