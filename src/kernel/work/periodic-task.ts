import type { Clock } from '#kernel/time/clock.js';

/** A periodic task: its function and its interval. */
interface TaskOptions {
  /** The pause before each run. */
  everyMs: number;
  /** Must not reject. The next pause begins when the run has ended. */
  run(): Promise<void>;
}

/** Runs a task periodically, such as the watchdog of calls. After `halt` it cannot be started again. */
export class PeriodicTask {
  readonly #clock: Clock;
  readonly #options: TaskOptions;
  #cancelTimer: () => void = () => {};
  #currentRun: Promise<void> = Promise.resolve();
  #isHalted = false;

  constructor(clock: Clock, options: TaskOptions) {
    this.#clock = clock;
    this.#options = options;
  }

  /** The first run follows after one pause. */
  start(): void {
    if (this.#isHalted) return;
    this.#cancelTimer = this.#clock.after(this.#options.everyMs, () => {
      this.#currentRun = this.#options.run().then(() => this.start());
    });
  }

  /** Starts no further run; a current run goes on. */
  halt(): void {
    this.#isHalted = true;
    this.#cancelTimer();
  }

  /** Halts, and resolves when the current run has ended. */
  async stop(): Promise<void> {
    this.halt();
    await this.#currentRun;
  }
}
