import type { Clock } from '#kernel/time/clock.js';

/** What to run, and how often. */
interface Duty {
  /** The pause before each run. */
  everyMs: number;
  /** Must not reject. The next pause begins when the run has ended. */
  run(): Promise<void>;
}

/** Runs a task periodically. It is started once; after `halt` it cannot be started again. */
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

  /** The first run follows after one pause. */
  start(): void {
    if (this.#isHalted) return;
    this.#cancelTimer = this.#clock.after(this.#duty.everyMs, () => {
      this.#inHand = this.#duty.run().then(() => this.start());
    });
  }

  /** Starts no further run. */
  halt(): void {
    this.#isHalted = true;
    this.#cancelTimer();
  }

  /** Halts, and resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.halt();
    await this.#inHand;
  }
}
