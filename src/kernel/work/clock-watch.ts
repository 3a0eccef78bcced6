import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';

const COMPARE_EVERY_MS = 1_000;
/** The tolerated change between two comparisons. A clock that NTP adjusts little by little stays far below it. */
const TOLERATED_MS = 2_000;
/** A jump that is not undone within this time is accepted: the machine has slept, or its clock was corrected. */
const ACCEPTED_AFTER_MS = 60_000;

/** A jump of the wall clock that may still be undone. */
export interface ClockDoubt {
  /** Size of the jump (milliseconds); negative for a jump back. */
  aheadMs: number;
}

/** The port by which the dialler and the scheduler ask whether the wall clock can be trusted. */
export interface ClockTrust {
  /**
   * Null while wall time and monotonic time agree. Each use compares the clocks, so it is never out of date; a change
   * that this shows is logged and reported to the listeners.
   */
  readonly doubt: ClockDoubt | null;
  /**
   * Calls `listener` when the clock may have been set back: a jump is undone, or a jump back is accepted. What was
   * planned by the clock before may be too late.
   */
  onSetBack(listener: () => void): void;
}

/**
 * Detects jumps of the wall clock by comparing it with monotonic time. The clock of a machine that is not synchronised
 * yet, or was set by mistake, may be wrong for some seconds: a run of a schedule that is late only by a jump must not
 * count as missed. After a minute the new time is accepted. A process that was suspended sees no jump, because both
 * clocks went on; after the machine itself has slept, it may see one.
 */
export class ClockWatch implements ClockTrust {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #setBackListeners: (() => void)[] = [];
  /** Accepted difference: wall time minus monotonic time. */
  #acceptedOffsetMs: number;
  #jump: (ClockDoubt & { sinceMs: number }) | null = null;
  #cancel: (() => void) | null = null;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
    this.#acceptedOffsetMs = this.#offset();
  }

  get doubt(): ClockDoubt | null {
    this.#compare();
    return this.#jump;
  }

  onSetBack(listener: () => void): void {
    this.#setBackListeners.push(listener);
  }

  /** Compares the clocks every second, until `stop`. */
  start(): void {
    this.#cancel = this.#clock.after(COMPARE_EVERY_MS, () => {
      this.#compare();
      this.start();
    });
  }

  /** Ends the comparisons of `start`; does nothing without them. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #offset(): number {
    return this.#clock.wallMs() - this.#clock.monotonicMs();
  }

  /** Compares the clocks: notices a jump, its undoing, and its acceptance after a while. */
  #compare(): void {
    const offsetMs = this.#offset();
    const aheadMs = offsetMs - this.#acceptedOffsetMs;
    const jump = this.#jump;
    if (Math.abs(aheadMs) <= TOLERATED_MS) {
      this.#acceptedOffsetMs = offsetMs;
      // Also true for a jump back that is undone: that is no set-back, but the listeners only plan once more.
      if (jump) this.#endDoubt('the jump of the clock is undone', { ...jump, isSetBack: true });
    } else if (jump === null || Math.abs(aheadMs - jump.aheadMs) > TOLERATED_MS) {
      this.#jump = { aheadMs, sinceMs: this.#clock.monotonicMs() };
      const message =
        'the clock has jumped: runs that are late only by the jump are held until it is accepted or undone';
      this.#log.warn({ clock_ahead_seconds: seconds(aheadMs) }, message);
    } else if (this.#clock.monotonicMs() - jump.sinceMs >= ACCEPTED_AFTER_MS) {
      this.#acceptedOffsetMs = offsetMs;
      this.#endDoubt('the jump of the clock is accepted', { aheadMs, isSetBack: aheadMs < 0 });
    }
  }

  /** Ends the doubt about the clock, and calls the listeners if the clock may have been set back. */
  #endDoubt(message: string, { aheadMs, isSetBack }: ClockDoubt & { isSetBack: boolean }): void {
    this.#jump = null;
    this.#log.info({ clock_ahead_seconds: seconds(aheadMs) }, message);
    if (isSetBack) for (const listener of this.#setBackListeners) listener();
  }
}

/** Seconds, to a tenth. */
function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
