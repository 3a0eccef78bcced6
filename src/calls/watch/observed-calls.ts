import type { Clock } from '#kernel/time/clock.js';
import type { WatchedCall } from './watch-store.js';

/** The interval of the watchdog's rounds. */
export const ROUND_MS = 1_000;

/**
 * How long a call has been unchanged, and how long ago it was answered, in milliseconds, as far as this process has
 * seen.
 */
export interface ObservedTimes {
  unchangedMs: number;
  /** Null while the call is not answered. */
  answeredMs: number | null;
}

/** A call as it was last seen; times of the monotonic clock. */
interface Observation {
  status: WatchedCall['status'];
  updatedAt: number;
  sinceMs: number;
  answeredAtMs: number | null;
}

/**
 * The current calls as the watchdog sees them round by round. Durations are measured with the monotonic clock, because
 * the wall clock may jump.
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
   * Records that a round failed because the database was unavailable. No process could store progress meanwhile, so all
   * durations
   * start again.
   */
  missRound(): void {
    this.#hasMissedRound = true;
  }

  /** The times of a call that was seen in the last round. */
  timesOf(callId: string): ObservedTimes {
    const { sinceMs, answeredAtMs } = this.#observed.get(callId)!;
    const nowMs = this.#clock.monotonicMs();
    return { unchangedMs: nowMs - sinceMs, answeredMs: answeredAtMs === null ? null : nowMs - answeredAtMs };
  }

  #observationOf(call: WatchedCall): Observation {
    const before = this.#observed.get(call.id);
    const { status, updated_at: updatedAt } = call;
    // A repeated dial leaves the status `connecting`, but the ringing starts again.
    const ringsAgain = status === 'connecting' && before?.updatedAt !== updatedAt;
    const isSame = before?.status === status && !ringsAgain && !this.#hasMissedRound;
    return {
      status,
      updatedAt,
      sinceMs: isSame ? before.sinceMs : this.#clock.monotonicMs(),
      answeredAtMs: before?.answeredAtMs ?? this.#answeredAtMs(call),
    };
  }

  /** When a call was answered that was unanswered in the last round: at most one round ago. */
  #answeredAtMs({ answered_at: answeredAt }: WatchedCall): number | null {
    if (answeredAt === null) return null;
    return this.#clock.monotonicMs() - Math.min(Math.max(this.#clock.wallMs() - answeredAt, 0), ROUND_MS);
  }
}
