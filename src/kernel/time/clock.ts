/**
 * Time as a port: nothing else in the service may ask the machine what time it is or how long to wait.
 * Wall time names instants (epoch milliseconds, may jump); monotonic time measures durations (milliseconds, never
 * goes back).
 */
export interface Clock {
  /** Epoch milliseconds, an integer. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start, with a fraction; only differences mean anything. */
  monotonicMs(): number;
  /** Runs `task` once, `delayMs` of monotonic time from now. Returns how to call it off. */
  after(delayMs: number, task: () => void): () => void;
}

/** Node refuses longer timers (32-bit milliseconds) and fires them at once, so a long wait is cut into hops. */
const LONGEST_TIMER_MS = 2_147_483_647;

/** The machine's own time. Timers keep the process alive only while something is owed to a caller. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, task) {
    let timer: NodeJS.Timeout;
    const arm = (remainingMs: number) => {
      const hopMs = Math.min(remainingMs, LONGEST_TIMER_MS);
      timer = setTimeout(() => (remainingMs > hopMs ? arm(remainingMs - hopMs) : task()), hopMs);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` aborts; it never rejects, so callers look at the signal. */
export function sleep(clock: Clock, delayMs: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      cancel();
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal?.addEventListener('abort', done, { once: true });
  });
}

/**
 * What is written one after the other lies in few seconds: of each, all but the milliseconds is written once. A power
 * of two.
 */
const WRITTEN_SECONDS = 8;
const writtenSeconds = Array.from({ length: WRITTEN_SECONDS }, () => ({ second: Number.NaN, text: '' }));

/** An instant as the API writes it: RFC 3339, UTC, milliseconds. */
export function toInstant(epochMs: number): string {
  const wholeMs = Math.trunc(epochMs);
  const second = Math.floor(wholeMs / 1_000);
  const slot = writtenSeconds[second & (WRITTEN_SECONDS - 1)]!;
  if (slot.second !== second) {
    slot.text = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length);
    slot.second = second;
  }
  return `${slot.text}${String(wholeMs - second * 1_000).padStart(3, '0')}Z`;
}

/** {@link toInstant} for columns that may be empty. */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toInstant(epochMs);
}
