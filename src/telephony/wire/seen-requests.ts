import type { Clock } from '#kernel/time/clock.js';

/** Defaults: how many answers are kept, and how long. */
const DEFAULT_CAPACITY = 8192;
const DEFAULT_KEEP_MS = 24 * 60 * 60 * 1000;

/** The answer to a request, and when the request came (monotonic). */
interface Seen<Answer> {
  answer: Promise<Answer>;
  atMs: number;
}

/**
 * The answers to carriers' requests, kept for copies: a copy (a carrier's retry, or a replay by an attacker) gets the
 * first answer and has no second effect. The answers are in memory and bounded, the oldest dropped first; older copies,
 * and copies after a restart, must be harmless by themselves. Used by `CarrierWebhookDispatcher`.
 */
export class SeenRequests<Answer> {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #capacity: number;
  /** Oldest first: an entry is never moved. */
  readonly #seen = new Map<string, Seen<Answer>>();

  /** @param parts `keepMs`: how long an answer is kept (default a day); `capacity`: how many (default 8192) */
  constructor(parts: { clock: Clock; keepMs?: number; capacity?: number }) {
    this.#clock = parts.clock;
    this.#keepMs = parts.keepMs ?? DEFAULT_KEEP_MS;
    this.#capacity = parts.capacity ?? DEFAULT_CAPACITY;
  }

  /**
   * Answers a request: a copy with the answer to the first request, which may still be pending, a new request by
   * `respond`. After `respond` has failed, the next copy counts as new.
   * @param replayKey the key of the request (`Verdict.replayKey`); with null, `respond` always answers
   */
  once(replayKey: string | null, respond: () => Promise<Answer>): Promise<Answer> {
    if (replayKey === null) return respond();
    this.#dropOld();
    const seen = this.#seen.get(replayKey);
    if (seen) return seen.answer;
    const entry = { answer: respond(), atMs: this.#clock.monotonicMs() };
    this.#seen.set(replayKey, entry);
    entry.answer.catch(() => {
      if (this.#seen.get(replayKey) === entry) this.#seen.delete(replayKey);
    });
    return entry.answer;
  }

  /** Drops answers that are too old, or exceed the capacity. */
  #dropOld(): void {
    const oldestMs = this.#clock.monotonicMs() - this.#keepMs;
    for (const [key, { atMs }] of this.#seen) {
      if (atMs >= oldestMs && this.#seen.size <= this.#capacity) break;
      this.#seen.delete(key);
    }
  }
}
