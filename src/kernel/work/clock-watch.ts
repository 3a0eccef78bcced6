import type { Log } from '#kernel/log/log.js';
import type { Clock } from '#kernel/time/clock.js';

const LOOK_EVERY_MS = 1_000;
/** A difference between both clocks that no schedule minds; a clock that is slewed stays far below it. */
const TOLERATED_MS = 2_000;
/** A jump that has lasted for so long is the time: the machine has slept, or its clock was put right. */
const BELIEVED_AFTER_MS = 60_000;

/** A jump of the wall clock that may be undone yet. */
export interface ClockDoubt {
  /** How far the wall clock is ahead of where it would be without the jump (milliseconds); negative when behind. */
  aheadMs: number;
}

/** What depends on whether the wall clock can be believed. */
export interface ClockTrust {
  /** Null while wall time and monotonic time pass together. Looks at both clocks, so it is never out of date. */
  readonly doubt: ClockDoubt | null;
  /** The wall clock is back from a jump, or was set back for good: what was planned by it may lie too far ahead. */
  onSetBack(listener: () => void): void;
}

/**
 * Watches whether wall time leaves monotonic time. A machine whose clock is not synchronised yet, or is set by mistake,
 * shows a wrong time for some seconds: what would be missed by that time alone has not been missed. After a minute the
 * new time is believed. A process that was stopped, or stood still, begins without a doubt: for it both clocks agree.
 */
export class ClockWatch implements ClockTrust {
  readonly #clock: Clock;
  readonly #log: Log;
  readonly #setBack: (() => void)[] = [];
  /** Wall time less monotonic time, as it is believed. */
  #offsetMs: number;
  #jump: (ClockDoubt & { sinceMs: number }) | null = null;
  #cancel: (() => void) | null = null;

  constructor({ clock, log }: { clock: Clock; log: Log }) {
    this.#clock = clock;
    this.#log = log;
    this.#offsetMs = this.#offset();
  }

  get doubt(): ClockDoubt | null {
    this.#look();
    return this.#jump;
  }

  onSetBack(listener: () => void): void {
    this.#setBack.push(listener);
  }

  start(): void {
    this.#cancel = this.#clock.after(LOOK_EVERY_MS, () => {
      this.#look();
      this.start();
    });
  }

  /** Harmless twice. */
  stop(): void {
    this.#cancel?.();
    this.#cancel = null;
  }

  #offset(): number {
    return this.#clock.wallMs() - this.#clock.monotonicMs();
  }

  #look(): void {
    const offsetMs = this.#offset();
    const aheadMs = offsetMs - this.#offsetMs;
    const jump = this.#jump;
    if (Math.abs(aheadMs) <= TOLERATED_MS) {
      this.#offsetMs = offsetMs;
      if (jump) this.#settle('the clock is back from its jump', { ...jump, isSetBack: true });
    } else if (jump === null || Math.abs(aheadMs - jump.aheadMs) > TOLERATED_MS) {
      this.#jump = { aheadMs, sinceMs: this.#clock.monotonicMs() };
      const message = 'the clock has jumped: what it alone makes late is held until it is believed or back';
      this.#log.warn({ clock_ahead_seconds: seconds(aheadMs) }, message);
    } else if (this.#clock.monotonicMs() - jump.sinceMs >= BELIEVED_AFTER_MS) {
      this.#offsetMs = offsetMs;
      this.#settle('the clock is believed after its jump', { aheadMs, isSetBack: aheadMs < 0 });
    }
  }

  #settle(message: string, { aheadMs, isSetBack }: ClockDoubt & { isSetBack: boolean }): void {
    this.#jump = null;
    this.#log.info({ clock_ahead_seconds: seconds(aheadMs) }, message);
    if (isSetBack) for (const listener of this.#setBack) listener();
  }
}

function seconds(ms: number): number {
  return Math.round(ms / 100) / 10;
}
