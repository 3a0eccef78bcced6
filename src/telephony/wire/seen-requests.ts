import type { Clock } from '#kernel/time/clock.js';

const USUAL_CAPACITY = 8192;
const USUAL_KEEP_MS = 24 * 60 * 60 * 1000;

interface Seen<Answer> {
  answer: Promise<Answer>;
  atMs: number;
}

/**
 * Answered requests of carriers: a copy (a carrier's retry, or a replay) gets the first answer and has no second
 * effect. In memory and bounded, the oldest dropped first: older copies, and copies after a restart, must be harmless
 * themselves.
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
    this.#keepMs = parts.keepMs ?? USUAL_KEEP_MS;
    this.#capacity = parts.capacity ?? USUAL_CAPACITY;
  }

  /**
   * Answers a message: with the (possibly pending) answer of its first copy, or by `respond`. After a failure the
   * message counts as new.
   * @param replayable key of the message (`Verdict.replayable`); null is always answered by `respond`
   */
  once(replayable: string | null, respond: () => Promise<Answer>): Promise<Answer> {
    if (replayable === null) return respond();
    this.#forgetOld();
    const seen = this.#seen.get(replayable);
    if (seen) return seen.answer;
    const entry = { answer: respond(), atMs: this.#clock.monotonicMs() };
    this.#seen.set(replayable, entry);
    entry.answer.catch(() => {
      if (this.#seen.get(replayable) === entry) this.#seen.delete(replayable);
    });
    return entry.answer;
  }

  #forgetOld(): void {
    const oldestMs = this.#clock.monotonicMs() - this.#keepMs;
    for (const [key, { atMs }] of this.#seen) {
      if (atMs >= oldestMs && this.#seen.size <= this.#capacity) break;
      this.#seen.delete(key);
    }
  }
}
