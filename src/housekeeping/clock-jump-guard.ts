import type { Clock } from '#kernel/time/clock.js';

const HOUR_MS = 3_600_000;
/** The present catches up with the wall clock 24 times as fast as time passes: a day in an hour. */
const CATCH_UP_FACTOR = 24;

/**
 * The present time for housekeeping (`createHousekeeping`), by which the age of data is measured. A wall clock that is
 * wrongly ahead must not delete data, which would be lost when the clock is corrected. The present is never later than
 * the wall clock; when the wall clock jumps ahead, the present follows slowly:
 *
 * - Until it reaches the wall clock, it moves on at least as fast as monotonic time, which is certain.
 * - A wall clock that has jumped, or that is ahead of the stored present at a start, is ignored for an hour. A
 *   correction within that hour leaves no trace.
 * - After the hour the present catches up by a day an hour. A night of sleep costs minutes, a month without the service
 *   a day and a half. A clock that is ten years ahead for three hours deletes data two days early.
 */
export class ClockJumpGuard {
  readonly #clock: Clock;
  /** The present, and both clocks, at the last call of `now`. */
  #present: number;
  #wallMs: number;
  #monotonicMs: number;
  /** The monotonic time of the last jump: since then the wall clock has been steady. */
  #steadySinceMs: number;

  /** @param reachedAt the present that was last stored (epoch milliseconds); null if none was */
  constructor(clock: Clock, reachedAt: number | null) {
    this.#clock = clock;
    this.#wallMs = clock.wallMs();
    this.#monotonicMs = clock.monotonicMs();
    this.#present = Math.min(reachedAt ?? this.#wallMs, this.#wallMs);
    const isNear = this.#wallMs - this.#present <= HOUR_MS;
    this.#steadySinceMs = isNear ? -Infinity : this.#monotonicMs;
  }

  /** The present (epoch milliseconds, an integer). Call it several times an hour: it measures between calls. */
  now(): number {
    const [wallMs, monotonicMs] = [this.#clock.wallMs(), this.#clock.monotonicMs()];
    const passedMs = monotonicMs - this.#monotonicMs;
    const hasJumped = Math.abs(wallMs - this.#wallMs - passedMs) > HOUR_MS;
    if (hasJumped) this.#steadySinceMs = monotonicMs;
    const isSteady = monotonicMs - this.#steadySinceMs >= HOUR_MS;
    this.#present = Math.min(wallMs, this.#present + passedMs * (isSteady ? CATCH_UP_FACTOR : 1));
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return Math.floor(this.#present);
  }
}
