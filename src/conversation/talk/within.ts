import { asError } from '#kernel/errors/as-error.js';
import type { Clock } from '#kernel/time/clock.js';

/** A provider exceeded its time limit. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** The work was cancelled. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
}

/** The time limit of one piece of work, and the signal that cancels it. */
export interface TimeLimit {
  clock: Clock;
  limitMs: number;
  signal: AbortSignal;
  /** Name of the work for the error: `the words of an utterance`. */
  what: string;
}

/**
 * The outcome of `work`. Rejects with a {@link TooSlowError} after the limit, and with a {@link DroppedError} as soon
 * as the signal aborts. No timer is left behind.
 */
export function within<T>(work: Promise<T>, limit: TimeLimit): Promise<T> {
  const wait = new Wait(limit);
  const outcome = wait.for(work);
  const end = () => wait.end();
  outcome.then(end, end);
  return outcome;
}

/**
 * Iterates over `items` with the limit of {@link within} for each item. One timer and one listener serve all items,
 * because a voice comes in many pieces.
 */
export async function* eachWithin<T>(items: AsyncIterable<T>, limit: TimeLimit): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  const wait = new Wait(limit);
  let isDone = false;
  try {
    for (;;) {
      const next = await wait.for(iterator.next());
      isDone = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    wait.end();
    // Not awaited: an iterator that hangs would hang this generator too.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Waits for one promise after another, with the limit for each, until `end` is called. */
class Wait {
  readonly #limit: TimeLimit;
  /** Rejects the present wait; null if there is none. */
  #giveUp: ((error: Error) => void) | null = null;
  #sinceMs = 0;
  /** The timer outlives work that was in time; when it fires too early for the present work it is set again. */
  #cancelTimer: (() => void) | null = null;
  readonly #drop = () => this.#giveUp?.(new DroppedError(this.#limit.what));

  constructor(limit: TimeLimit) {
    this.#limit = limit;
    limit.signal.addEventListener('abort', this.#drop, { once: true });
  }

  for<T>(work: Promise<T>): Promise<T> {
    const { clock, limitMs, signal } = this.#limit;
    this.#sinceMs = clock.monotonicMs();
    if (!this.#cancelTimer) this.#arm(limitMs);
    return new Promise<T>((resolve, reject) => {
      this.#giveUp = reject;
      work.then(
        (value) => {
          this.#giveUp = null;
          resolve(value);
        },
        (error: unknown) => {
          this.#giveUp = null;
          reject(asError(error));
        },
      );
      if (signal.aborted) this.#drop();
    });
  }

  end(): void {
    this.#cancelTimer?.();
    this.#limit.signal.removeEventListener('abort', this.#drop);
  }

  #arm(delayMs: number): void {
    this.#cancelTimer = this.#limit.clock.after(delayMs, () => this.#ring());
  }

  #ring(): void {
    const { clock, limitMs, what } = this.#limit;
    this.#cancelTimer = null;
    if (!this.#giveUp) return;
    const leftMs = this.#sinceMs + limitMs - clock.monotonicMs();
    if (leftMs > 0) this.#arm(leftMs);
    else this.#giveUp(new TooSlowError(`${what}: ${limitMs} ms`));
  }
}

/**
 * True if a retry may help: adapters mark permanent errors with `retryable: false`, timeouts are not retried, and
 * errors without a mark are.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DroppedError || error instanceof TooSlowError) return false;
  return !(error instanceof Error && 'retryable' in error && error.retryable === false);
}
