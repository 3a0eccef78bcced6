import type { Clock } from '#kernel/time/clock.js';

const HOUR_MS = 3_600_000;
/** A gap is closed so many times as fast as time passes: a day in every hour. */
const CATCHING_UP = 24;

/**
 * The present that housekeeping goes by: what a wrong clock has deleted does not come back with the right one. It is
 * never later than the wall clock, and where that is ahead, it does not step to it but is slewed:
 *
 * - Time that the service has run for is certain, so the present moves on at least as fast as that.
 * - A wall clock that has jumped, or that differs at a start from the present that was kept, is not believed for an
 *   hour. If it is put right within that hour, nothing has happened.
 * - After that the present makes up for a day in every hour. Nights in which a machine sleeps cost minutes, a month in
 *   which the service did not run costs a day and a half, and nothing stops for ever. A clock that is ten years ahead
 *   for three hours makes two days of difference.
 */
export class SlewedTime {
  readonly #clock: Clock;
  #present: number;
  #wallMs: number;
  #monotonicMs: number;
  /** Since when the wall clock has kept pace with the monotonic one. */
  #steadySinceMs: number;

  /** @param reachedAt where the present had come to when it was last kept; null when it never was */
  constructor(clock: Clock, reachedAt: number | null) {
    this.#clock = clock;
    this.#wallMs = clock.wallMs();
    this.#monotonicMs = clock.monotonicMs();
    this.#present = Math.min(reachedAt ?? this.#wallMs, this.#wallMs);
    const isNear = this.#wallMs - this.#present <= HOUR_MS;
    this.#steadySinceMs = isNear ? -Infinity : this.#monotonicMs;
  }

  /** The present (epoch milliseconds, an integer). To be asked several times an hour. */
  now(): number {
    const [wallMs, monotonicMs] = [this.#clock.wallMs(), this.#clock.monotonicMs()];
    const passedMs = monotonicMs - this.#monotonicMs;
    const hasJumped = Math.abs(wallMs - this.#wallMs - passedMs) > HOUR_MS;
    if (hasJumped) this.#steadySinceMs = monotonicMs;
    const isSteady = monotonicMs - this.#steadySinceMs >= HOUR_MS;
    this.#present = Math.min(wallMs, this.#present + passedMs * (isSteady ? CATCHING_UP : 1));
    this.#wallMs = wallMs;
    this.#monotonicMs = monotonicMs;
    return Math.floor(this.#present);
  }
}
