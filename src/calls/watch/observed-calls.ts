import type { Clock } from '#kernel/time/clock.js';
import type { WatchedCall } from './watch-store.js';

/** The interval of the watchdog's rounds. */
export const ROUND_MS = 1_000;

/** The durations of a call, in milliseconds. They count only the time in which the watchdog has seen the call. */
export interface ObservedTimes {
  /** How long the call has been in its status; for a `connecting` call, how long its row has not changed. */
  unchangedMs: number;
  /** How long ago the call was answered; null while it is not answered. */
  answeredMs: number | null;
}

/** A call as it was last seen. */
interface Observation {
  status: WatchedCall['status'];
  /** The row's `updated_at` (epoch milliseconds). */
  updatedAt: number;
  /** The beginning of `unchangedMs` (monotonic milliseconds). */
  unchangedSinceMs: number;
  /** Monotonic milliseconds; null while the call is not answered. */
  answeredAtMs: number | null;
}

/**
 * The current calls as the watchdog (`Watchdog`) sees them round by round, for its time limits. Durations are measured
 * with the monotonic clock, because the wall clock may jump.
 */
export class ObservedCalls {
  readonly #clock: Clock;
  #observed = new Map<string, Observation>();
  #hasMissedRound = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Records the current calls and drops all others. */
  observe(calls: readonly WatchedCall[]): void {
    this.#observed = new Map(calls.map((call) => [call.id, this.#observationOf(call)]));
    this.#hasMissedRound = false;
  }

  /**
   * Records that a round failed, usually because the database was unavailable. No process could store progress
   * meanwhile, so the durations in the current status (`unchangedMs`) start again with the next round.
   */
  recordMissedRound(): void {
    this.#hasMissedRound = true;
  }

  /** The times of a call that was seen in the last round. */
  timesOf(callId: string): ObservedTimes {
    const { unchangedSinceMs, answeredAtMs } = this.#observed.get(callId)!;
    const nowMs = this.#clock.monotonicMs();
    return {
      unchangedMs: nowMs - unchangedSinceMs,
      answeredMs: answeredAtMs === null ? null : nowMs - answeredAtMs,
    };
  }

  /** The observation of a call in this round, which continues that of the round before. */
  #observationOf(call: WatchedCall): Observation {
    const lastSeen = this.#observed.get(call.id);
    const { status, updated_at: updatedAt } = call;
    // A repeated dial request changes the row but not the status `connecting`, and the phone rings from the beginning.
    const mayRingAgain = status === 'connecting' && lastSeen?.updatedAt !== updatedAt;
    const isUnchanged = lastSeen?.status === status && !mayRingAgain && !this.#hasMissedRound;
    return {
      status,
      updatedAt,
      unchangedSinceMs: isUnchanged ? lastSeen.unchangedSinceMs : this.#clock.monotonicMs(),
      answeredAtMs: lastSeen?.answeredAtMs ?? this.#answeredAtMs(call),
    };
  }

  /**
   * When a call was answered, by the monotonic clock; null lastSeen the answer. In the first round that sees it, an
   * answer is at most one round old: this bound limits the error of a wall clock that has jumped. An older answer, as
   * of a call that was taken over from another process, counts as one round old.
   */
  #answeredAtMs({ answered_at: answeredAt }: WatchedCall): number | null {
    if (answeredAt === null) return null;
    return this.#clock.monotonicMs() - Math.min(Math.max(this.#clock.wallMs() - answeredAt, 0), ROUND_MS);
  }
}
