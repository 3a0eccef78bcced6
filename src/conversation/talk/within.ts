import { asError } from '#kernel/errors/as-error.js';
import type { Clock } from '#kernel/time/clock.js';

/** Something of a provider took longer than a caller can be kept waiting. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** The work is not wanted any more. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
}

/** How long one piece of work may take, and what drops it. */
export interface TimeLimit {
  clock: Clock;
  limitMs: number;
  signal: AbortSignal;
  /** What is waited for, for the error: `the words of an utterance`. */
  what: string;
}

/**
 * The outcome of `work`, or a {@link TooSlowError}, or a {@link DroppedError} as soon as the signal aborts: a provider
 * that never answers holds up nobody. No timer is left behind.
 */
export function within<T>(work: Promise<T>, limit: TimeLimit): Promise<T> {
  const wait = new Wait(limit);
  const outcome = wait.for(work);
  const end = () => wait.end();
  outcome.then(end, end);
  return outcome;
}

/**
 * Goes through `items` with the limit of {@link within} for each of them. Voices come in many pieces: one timer and
 * one listener watch over all of them.
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
    // Not waited for: an iterator that hangs would hang us too.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** Waits for one thing after the other, for so long each, until it is ended. */
class Wait {
  readonly #limit: TimeLimit;
  /** Of what is waited for now: null when that is nothing. */
  #giveUp: ((error: Error) => void) | null = null;
  #sinceMs = 0;
  /** It goes on through what came in time, and is wound up again when it finds that it is early. */
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

/** May trying again help? Adapters say so on their errors; what does not say is tried once more. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DroppedError || error instanceof TooSlowError) return false;
  return !(error instanceof Error && 'retryable' in error && error.retryable === false);
}
