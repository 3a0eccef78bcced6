import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** Turns that were missed in a stall longer than this are dropped: nobody is on a line for so long without a word. */
const MOST_TURNS_AT_ONCE = 60_000 / FRAME_MS;
/** Timers of the machine may come this much early; such a turn counts as on time. */
const EARLY_MS = 1;

/**
 * The one 20 ms beat that all calls share: a timer for each call would cost half the capacity.
 *
 * Turns lie on a grid that never drifts and none is forgotten: a beat that comes late, on a busy machine, says how many
 * turns are due by now.
 */
export interface Wheel {
  /**
   * Calls `turn` every 20 ms until the answer is called, with the number of turns that are due: one, and those that
   * were missed. Joining and leaving cost the same however many there are.
   */
  join(turn: (due: number) => void): () => void;
  readonly members: number;
}

/** A wheel that stands still, without a timer, while nobody is on it. */
export function createWheel(parts: { clock: Clock; log: Log }): Wheel {
  return new SharedWheel(parts.clock, parts.log);
}

interface Member {
  turn(due: number): void;
  joinedMs: number;
}

class SharedWheel implements Wheel {
  readonly #clock: Clock;
  readonly #log: Log;
  /** A set keeps joining and leaving cheap, also in the middle of a turn. */
  readonly #members = new Set<Member>();
  #nextMs = 0;
  #cancel: (() => void) | null = null;
  readonly #beat = () => this.#onBeat();

  constructor(clock: Clock, log: Log) {
    this.#clock = clock;
    this.#log = log;
  }

  get members(): number {
    return this.#members.size;
  }

  join(turn: (due: number) => void): () => void {
    const member = { turn, joinedMs: this.#clock.monotonicMs() };
    this.#members.add(member);
    if (this.#members.size === 1) {
      this.#nextMs = member.joinedMs + FRAME_MS;
      this.#arm();
    }
    return () => {
      if (this.#members.delete(member) && this.#members.size === 0) this.#rest();
    };
  }

  #arm(): void {
    this.#cancel?.();
    this.#cancel = this.#clock.after(Math.max(0, this.#nextMs - this.#clock.monotonicMs()), this.#beat);
  }

  #rest(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #onBeat(): void {
    // The timer has fired: to cancel it as well costs as much as to set one.
    this.#cancel = null;
    const nowMs = this.#clock.monotonicMs();
    const lateMs = nowMs - this.#nextMs;
    if (lateMs < -EARLY_MS) return this.#arm();
    const due = 1 + Math.max(0, Math.floor(lateMs / FRAME_MS));
    this.#nextMs += due * FRAME_MS;
    this.#turn(Math.min(due, MOST_TURNS_AT_ONCE), nowMs);
    if (this.#members.size > 0) this.#arm();
  }

  #turn(due: number, nowMs: number): void {
    for (const member of this.#members) {
      try {
        // Whoever came during a stall has missed no more than was left of it.
        member.turn(Math.min(due, 1 + Math.floor((nowMs - member.joinedMs) / FRAME_MS)));
      } catch (error) {
        // It would throw again in 20 ms, and for ever.
        this.#members.delete(member);
        this.#log.error({ err: error }, 'a member fell off the wheel');
      }
    }
  }
}
