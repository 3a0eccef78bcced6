import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** At most a minute of missed ticks is reported: the calls do not outlive a longer stall. */
const MOST_TICKS_AT_ONCE = 60_000 / FRAME_MS;
/** Timers of the platform may fire this much early; such a tick counts as on time. */
const EARLY_MS = 1;

/**
 * The 20 ms timer that all calls of the process share: a timer per call would cost half the capacity. `Channel` joins
 * it, and so do the simulated calls of the sandbox, which has a timer of its own.
 *
 * Ticks lie on a grid without drift. After a stall the timer reports how many ticks are due, so none is lost up to a
 * stall of a minute.
 */
export interface PacingTimer {
  /**
   * Calls `onTick` every 20 ms with the number of ticks due (one, plus those missed) until the returned function is
   * called. Joining and leaving cost the same for any number of members.
   */
  join(onTick: (due: number) => void): () => void;
  /** Number of members. */
  readonly members: number;
}

/** Creates the timer of a process. It is off while there are no members. */
export function createPacingTimer(parts: { clock: Clock; log: Log }): PacingTimer {
  return new SharedPacingTimer(parts.clock, parts.log);
}

/** A member of the timer, which joined at the monotonic time `joinedMs`. */
interface Member {
  onTick(due: number): void;
  joinedMs: number;
}

class SharedPacingTimer implements PacingTimer {
  readonly #clock: Clock;
  readonly #log: Log;
  /** A set: members may join and leave during a tick, at the same cost for any number. */
  readonly #members = new Set<Member>();
  /** Due time of the next tick (monotonic). */
  #nextMs = 0;
  #cancel: (() => void) | null = null;
  readonly #onTimer = () => this.#tick();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get members(): number {
    return this.#members.size;
  }

  join(onTick: (due: number) => void): () => void {
    const member = { onTick, joinedMs: this.#clock.monotonicMs() };
    this.#members.add(member);
    if (this.#members.size === 1) {
      this.#nextMs = member.joinedMs + FRAME_MS;
      this.#arm();
    }
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#stop();
    };
  }

  /** Sets the timer for the next tick. */
  #arm(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, this.#nextMs - this.#clock.monotonicMs()), this.#onTimer);
  }

  #stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  /** Calls the members for all ticks that are due, and sets the timer for the next tick. */
  #tick(): void {
    // The timer has fired: cancelling it as well would cost as much as setting one.
    this.#cancel = null;
    const nowMs = this.#clock.monotonicMs();
    const lateMs = nowMs - this.#nextMs;
    if (lateMs < -EARLY_MS) return this.#arm();
    const due = 1 + Math.max(0, Math.floor(lateMs / FRAME_MS));
    this.#nextMs += due * FRAME_MS;
    this.#callMembers(Math.min(due, MOST_TICKS_AT_ONCE), nowMs);
    if (this.#members.size > 0) this.#arm();
  }

  #callMembers(due: number, nowMs: number): void {
    for (const member of this.#members) {
      try {
        // A member that joined during a stall has missed only the ticks since then.
        member.onTick(Math.min(due, 1 + Math.floor((nowMs - member.joinedMs) / FRAME_MS)));
      } catch (error) {
        // The member would throw again in 20 ms, and every 20 ms after that.
        this.#members.delete(member);
        this.#log.error({ err: error }, 'a member of the pacing timer threw and was removed');
      }
    }
  }
}
