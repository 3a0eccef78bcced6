import { asError } from '#kernel/errors/as-error.js';
import type { Clock } from '#kernel/time/clock.js';

/** Work, usually of a speech or model provider, exceeded its time limit. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** Work was cancelled by its signal, because the call is over or the turn was dropped. */
export class CancelledError extends Error {
  override readonly name = 'CancelledError';
}

/** The time limit of one piece of work, and the signal that cancels it. */
export interface TimeLimit {
  clock: Clock;
  limitMs: number;
  signal: AbortSignal;
  /** Name of the work for the error: `the words of an utterance`. */
  name: string;
}

/**
 * The outcome of `work`, within a time limit. Used where a call waits for a provider or a carrier. Rejects with a
 * {@link TooSlowError} after the limit, and with a {@link CancelledError} as soon as the signal aborts. The work itself
 * is not stopped. No timer is left behind.
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

/** Waits for one promise after another, each with the limit, until `end` is called. */
class Wait {
  readonly #limit: TimeLimit;
  /** Rejects the present wait; null if there is none. */
  #rejectWork: ((error: Error) => void) | null = null;
  /** Start of the present wait (monotonic). */
  #sinceMs = 0;
  /**
   * Cancels the timer. It is not set for each wait, which would cost more: when it fires, it is set to the time that
   * the present wait still has.
   */
  #cancelTimer: (() => void) | null = null;
  readonly #onAbort = () => this.#rejectWork?.(new CancelledError(this.#limit.name));

  constructor(limit: TimeLimit) {
    this.#limit = limit;
    limit.signal.addEventListener('abort', this.#onAbort, { once: true });
  }

  /** The outcome of `work`, with the limit from now on. */
  for<T>(work: Promise<T>): Promise<T> {
    const { clock, limitMs, signal } = this.#limit;
    this.#sinceMs = clock.monotonicMs();
    if (!this.#cancelTimer) this.#arm(limitMs);
    return new Promise<T>((resolve, reject) => {
      this.#rejectWork = reject;
      work.then(
        (value) => {
          this.#rejectWork = null;
          resolve(value);
        },
        (error: unknown) => {
          this.#rejectWork = null;
          reject(asError(error));
        },
      );
      if (signal.aborted) this.#onAbort();
    });
  }

  /** Removes the timer and the listener. */
  end(): void {
    this.#cancelTimer?.();
    this.#limit.signal.removeEventListener('abort', this.#onAbort);
  }

  #arm(delayMs: number): void {
    this.#cancelTimer = this.#limit.clock.after(delayMs, () => this.#onTimer());
  }

  #onTimer(): void {
    const { clock, limitMs, name } = this.#limit;
    this.#cancelTimer = null;
    if (!this.#rejectWork) return;
    const leftMs = this.#sinceMs + limitMs - clock.monotonicMs();
    if (leftMs > 0) this.#arm(leftMs);
    else this.#rejectWork(new TooSlowError(`${name}: ${limitMs} ms`));
  }
}

/**
 * True if a retry may help: not after a timeout or cancellation, and not for an error that an adapter marks as
 * permanent with `retryable: false`.
 */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof CancelledError || error instanceof TooSlowError) return false;
  return !(error instanceof Error && 'retryable' in error && error.retryable === false);
}
