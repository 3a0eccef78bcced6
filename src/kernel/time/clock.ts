/**
 * The port of time: the service reads the time and sets timers through it, so that tests can set the clock. (A few
 * network requests, such as for the keys of tokens, use `AbortSignal.timeout`.) Wall time is for instants (epoch
 * milliseconds, may jump); monotonic time is for durations (milliseconds, never goes back).
 */
export interface Clock {
  /** Epoch milliseconds, an integer. */
  wallMs(): number;
  /** Milliseconds since an arbitrary start, with a fraction; only differences mean anything. */
  monotonicMs(): number;
  /** Runs `task` once after `delayMs` of monotonic time. Returns a function that cancels it. */
  after(delayMs: number, task: () => void): () => void;
}

/** The longest delay of a timer in Node (32-bit milliseconds); a longer delay is split. */
const MAX_TIMER_MS = 2_147_483_647;

/** The clock of the machine. */
export const systemClock: Clock = {
  wallMs: () => Date.now(),
  monotonicMs: () => performance.now(),
  after(delayMs, task) {
    let timer: NodeJS.Timeout;
    const arm = (remainingMs: number) => {
      const hopMs = Math.min(remainingMs, MAX_TIMER_MS);
      timer = setTimeout(() => (remainingMs > hopMs ? arm(remainingMs - hopMs) : task()), hopMs);
    };
    arm(Math.max(0, delayMs));
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` aborts. Never rejects: callers check the signal. */
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
 * Size of the cache of {@link toInstant}, a power of two: formatting a second is slow, and the instants that are
 * formatted together lie in few seconds.
 */
const CACHED_SECONDS = 8;
const cachedSeconds = Array.from({ length: CACHED_SECONDS }, () => ({ second: Number.NaN, text: '' }));

/** Formats an instant as in the API: RFC 3339 in UTC with milliseconds. */
export function toInstant(epochMs: number): string {
  const wholeMs = Math.trunc(epochMs);
  const second = Math.floor(wholeMs / 1_000);
  const slot = cachedSeconds[second & (CACHED_SECONDS - 1)]!;
  if (slot.second !== second) {
    slot.text = new Date(second * 1_000).toISOString().slice(0, -'000Z'.length);
    slot.second = second;
  }
  return `${slot.text}${String(wholeMs - second * 1_000).padStart(3, '0')}Z`;
}

/** {@link toInstant} for nullable columns. */
export function toInstantOrNull(epochMs: number | null): string | null {
  return epochMs === null ? null : toInstant(epochMs);
}
