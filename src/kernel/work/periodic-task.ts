import type { Clock } from '#kernel/time/clock.js';

/** What is done again and again. */
interface Duty {
  /** The pause before each run (milliseconds). */
  everyMs: number;
  /** Must not fail. The next run waits for this one. */
  run(): Promise<void>;
}

/** Something done again and again for as long as its owner lives: started once, and stopped for good. */
export class PeriodicTask {
  readonly #clock: Clock;
  readonly #duty: Duty;
  #cancelTimer: () => void = () => {};
  #inHand: Promise<void> = Promise.resolve();
  #isHalted = false;

  constructor(clock: Clock, duty: Duty) {
    this.#clock = clock;
    this.#duty = duty;
  }

  /** The first run is one pause away. After a halt there is none. */
  start(): void {
    if (this.#isHalted) return;
    this.#cancelTimer = this.#clock.after(this.#duty.everyMs, () => {
      this.#inHand = this.#duty.run().then(() => this.start());
    });
  }

  /** Begins no further run. */
  halt(): void {
    this.#isHalted = true;
    this.#cancelTimer();
  }

  /** Resolves when the run in hand is done. */
  async stop(): Promise<void> {
    this.halt();
    await this.#inHand;
  }
}
