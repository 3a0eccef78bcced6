import type { Clock } from '../../kernel/clock.js';
import { inTime } from '../../kernel/in-time.js';

/** Something of a provider took longer than a caller can be kept waiting. */
export class TooSlowError extends Error {
  override readonly name = 'TooSlowError';
}

/** The work is not wanted any more. */
export class DroppedError extends Error {
  override readonly name = 'DroppedError';
}

/** How long one piece of work may take, and what drops it. */
export interface Patience {
  clock: Clock;
  limitMs: number;
  signal: AbortSignal;
  /** What is waited for, for the error: `the words of an utterance`. */
  what: string;
}

/**
 * The outcome of `work`, or a {@link TooSlowError}, or a {@link DroppedError} as soon as the signal aborts: a provider
 * that never answers holds up nobody.
 */
export function within<T>(work: Promise<T>, { clock, limitMs, signal, what }: Patience): Promise<T> {
  const late = (): never => {
    throw signal.aborted ? new DroppedError(what) : new TooSlowError(`${what}: ${limitMs} ms`);
  };
  return inTime(work, { clock, limitMs, signal, late });
}

/** Goes through `items` with {@link within} around the wait for each of them. */
export async function* eachWithin<T>(items: AsyncIterable<T>, patience: Patience): AsyncGenerator<T> {
  const iterator = items[Symbol.asyncIterator]();
  let isDone = false;
  try {
    for (;;) {
      const next = await within(iterator.next(), patience);
      isDone = next.done === true;
      if (next.done) return;
      yield next.value;
    }
  } finally {
    // Not waited for: an iterator that hangs would hang us too.
    if (!isDone) void Promise.resolve(iterator.return?.()).catch(() => {});
  }
}

/** May trying again help? Adapters say so on their errors; what does not say is tried once more. */
export function isWorthRetrying(error: unknown): boolean {
  if (error instanceof DroppedError || error instanceof TooSlowError) return false;
  return !(error instanceof Error && 'retryable' in error && error.retryable === false);
}
