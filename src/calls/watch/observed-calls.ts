import type { Clock } from '#kernel/time/clock.js';
import type { WatchedCall } from './watch-store.js';

/** How often the calls under way are looked at. */
export const ROUND_MS = 1_000;

/** How long a call has been as it is, and how long ago it was answered, as far as this process has seen. */
export interface ObservedTimes {
  unchangedMs: number;
  /** Null while it is not answered. */
  answeredMs: number | null;
}

/** A call as it was seen last; instants of the monotonic clock. */
interface Observation {
  status: WatchedCall['status'];
  updatedAt: number;
  sinceMs: number;
  answeredAtMs: number | null;
}

/** The calls under way as they were seen round by round. Time is what passed since then: the wall clock may jump. */
export class ObservedCalls {
  readonly #clock: Clock;
  #observed = new Map<string, Observation>();
  #hasMissedRound = false;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** These calls are under way now; others are forgotten. */
  observe(calls: readonly WatchedCall[]): void {
    this.#observed = new Map(calls.map((call) => [call.id, this.#observationOf(call)]));
    this.#hasMissedRound = false;
  }

  /** The database was away, and whoever had to write has had no time since then: all that is seen next begins anew. */
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
    // A call that is dialled again stays `connecting`, and yet its phone rings anew.
    const ringsAnew = status === 'connecting' && before?.updatedAt !== updatedAt;
    const isSame = before?.status === status && !ringsAnew && !this.#hasMissedRound;
    return {
      status,
      updatedAt,
      sinceMs: isSame ? before.sinceMs : this.#clock.monotonicMs(),
      answeredAtMs: before?.answeredAtMs ?? this.#answeredAtMs(call),
    };
  }

  /** When a call was answered that was not seen answered before: at most one round ago. */
  #answeredAtMs({ answered_at: answeredAt }: WatchedCall): number | null {
    if (answeredAt === null) return null;
    return this.#clock.monotonicMs() - Math.min(Math.max(this.#clock.wallMs() - answeredAt, 0), ROUND_MS);
  }
}
