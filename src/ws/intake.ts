import type { Clock } from '../kernel/clock.js';

/** Many times what sound in the smallest pieces needs, and next to no work. */
const PER_SECOND = 4_000;
/** What a peer held up may send at once: forty seconds of frames. */
const MOST_AT_ONCE = 2_000;

/** What messages come from; a WebSocket. */
export interface Source {
  pause(): void;
  resume(): void;
}

/**
 * Reads a peer no faster than anybody speaks. Messages are cheap to send and dear to take in: a flood of them would
 * keep the process from the sound of all other calls. None is lost; the peer has to wait, as TCP makes it.
 */
export class Intake {
  readonly #source: Source;
  readonly #clock: Clock;
  /** Messages that time has not made up for, as of `#countedAtMs`. */
  #messages = 0;
  #countedAtMs: number;
  #cancelRest: (() => void) | null = null;

  constructor(source: Source, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
    this.#countedAtMs = clock.monotonicMs();
  }

  /** One more message. Called for every one, so it mostly does next to nothing. */
  count(): void {
    this.#messages += 1;
    if (this.#messages > MOST_AT_ONCE) this.#restIfDue();
  }

  /** Nothing more is waited for. */
  stop(): void {
    this.#cancelRest?.();
    this.#cancelRest = null;
  }

  #restIfDue(): void {
    const nowMs = this.#clock.monotonicMs();
    this.#messages = Math.max(0, this.#messages - ((nowMs - this.#countedAtMs) * PER_SECOND) / 1_000);
    this.#countedAtMs = nowMs;
    const tooMany = this.#messages - MOST_AT_ONCE;
    if (tooMany <= 0) return;
    this.#source.pause();
    // What was read already still comes, and makes the rest longer.
    this.#cancelRest?.();
    this.#cancelRest = this.#clock.after((tooMany * 1_000) / PER_SECOND, () => this.#goOn());
  }

  #goOn(): void {
    this.#cancelRest = null;
    this.#source.resume();
  }
}
