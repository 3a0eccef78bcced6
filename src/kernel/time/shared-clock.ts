import type { Clock } from './clock.js';

/** An answer to "what time is it?" and the moments of the machine's own clocks around it. */
interface HeardTime {
  /** Epoch milliseconds by the clock that was asked. */
  wallMs: number;
  /** The machine's own wall clock when it was asked (epoch milliseconds). */
  askedMs: number;
  /** How long the answer was on its way, there and back (milliseconds). */
  tookMs: number;
}

/** The answer is a whole millisecond, cut off. */
const ROUNDING_MS = 1;

/**
 * The machine's time, put right by a clock that several processes share: what one of them writes as "until" means the
 * same instant to the others. Until it has heard the other clock it is the machine's own.
 */
export class SharedClock implements Clock {
  readonly #machine: Clock;
  #aheadMs = 0;

  constructor(machine: Clock) {
    this.#machine = machine;
  }

  /** How far it is ahead of the machine's own wall clock (milliseconds); negative when the machine is ahead. */
  get aheadMs(): number {
    return this.#aheadMs;
  }

  wallMs(): number {
    return this.#machine.wallMs() + this.#aheadMs;
  }

  monotonicMs(): number {
    return this.#machine.monotonicMs();
  }

  after(delayMs: number, task: () => void): () => void {
    return this.#machine.after(delayMs, task);
  }

  /** Asks the shared clock, and goes by it from now on. */
  async follow(ask: () => Promise<number>): Promise<void> {
    const askedMs = this.#machine.wallMs();
    const startedMs = this.#machine.monotonicMs();
    const wallMs = await ask();
    this.#hear({ wallMs, askedMs, tookMs: this.#machine.monotonicMs() - startedMs });
  }

  /** A slow answer proves little: what it leaves possible is kept, so that the time moves only when it is wrong. */
  #hear({ wallMs, askedMs, tookMs }: HeardTime): void {
    const most = wallMs - askedMs + ROUNDING_MS;
    const least = wallMs - askedMs - tookMs - ROUNDING_MS;
    if (this.#aheadMs < least || this.#aheadMs > most) this.#aheadMs = Math.round((least + most) / 2);
  }
}
