import type { Clock } from '../time/clock.js';

/** What is done again and again. */
interface Duty {
  /** The pause before each round (milliseconds). */
  everyMs: number;
  /** One round; must not fail. The next one waits for it. */
  round(): Promise<void>;
}

/** A duty that is done in rounds, for as long as its owner lives: started once, and stopped for good. */
export class Rounds {
  readonly #clock: Clock;
  readonly #duty: Duty;
  #cancelTimer: () => void = () => {};
  #inHand: Promise<void> = Promise.resolve();
  #isHalted = false;

  constructor(clock: Clock, duty: Duty) {
    this.#clock = clock;
    this.#duty = duty;
  }

  get isHalted(): boolean {
    return this.#isHalted;
  }

  /** The first round is one pause away. After a halt there is none. */
  start(): void {
    if (this.#isHalted) return;
    this.#cancelTimer = this.#clock.after(this.#duty.everyMs, () => {
      this.#inHand = this.#duty.round().then(() => this.start());
    });
  }

  /** Begins no further round. */
  halt(): void {
    this.#isHalted = true;
    this.#cancelTimer();
  }

  /** Resolves when the round in hand is done. */
  async stop(): Promise<void> {
    this.halt();
    await this.#inHand;
  }
}
