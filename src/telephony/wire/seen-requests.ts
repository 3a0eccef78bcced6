import type { Clock } from '#kernel/time/clock.js';

const USUAL_CAPACITY = 8192;
const USUAL_KEEP_MS = 24 * 60 * 60 * 1000;

interface Seen<Answer> {
  answer: Promise<Answer>;
  atMs: number;
}

/**
 * The requests of one carrier that were answered already, so that a copy (a retry of the carrier, or somebody's replay)
 * gets the answer that was given and has no second effect. It is kept in memory and bounded, the oldest go first: what
 * lies further back, or before a start, must be harmless by itself.
 */
export class SeenRequests<Answer> {
  readonly #clock: Clock;
  readonly #keepMs: number;
  readonly #capacity: number;
  /** Oldest first: an entry is never moved. */
  readonly #seen = new Map<string, Seen<Answer>>();

  /** @param parts `keepMs`: how long an answer is remembered (a day); `capacity`: how many (8192) */
  constructor(parts: { clock: Clock; keepMs?: number; capacity?: number }) {
    this.#clock = parts.clock;
    this.#keepMs = parts.keepMs ?? USUAL_KEEP_MS;
    this.#capacity = parts.capacity ?? USUAL_CAPACITY;
  }

  /**
   * The answer to a message: that of its first copy, which may still be in the making, or else what `respond` makes.
   * When that fails, the message counts as never seen, so that a retry of it is a new try.
   * @param replayable what tells a message from others (`Verdict.replayable`); null is answered every time
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
