/** A requested transaction: the id of the request, the name of the transaction, and its arguments. */
export interface Job {
  id: number;
  transaction: string;
  args: unknown;
  /** When the job arrived (monotonic milliseconds). */
  arrivedAtMs: number;
}

/** The jobs that wait in a store thread, first in, first out; jobs that are put back come first. */
export class JobQueue {
  #jobs: Job[] = [];
  /** Number of jobs at the front of `#jobs` that were taken: removing each from the array would cost more. */
  #taken = 0;
  /** True if no further job comes. */
  #closing = false;
  /** Wakes the workers that wait in `waitForJob`. */
  #sleepers: (() => void)[] = [];

  /**
   * Resolves with true when a job waits, and with false when the queue is closed and empty. Takes no job: of several
   * workers that wait, `take` gives it to the first that asks.
   */
  async waitForJob(): Promise<boolean> {
    while (this.isEmpty) {
      if (this.#closing) return false;
      await new Promise<void>((resolve) => this.#sleepers.push(resolve));
    }
    return true;
  }

  get isEmpty(): boolean {
    return this.#taken === this.#jobs.length;
  }

  /** Removes and returns the oldest job; undefined if none waits. */
  take(): Job | undefined {
    const job = this.#jobs[this.#taken];
    if (job === undefined) return undefined;
    this.#taken += 1;
    if (this.isEmpty) {
      this.#jobs = [];
      this.#taken = 0;
    }
    return job;
  }

  /** Adds a job, without waking a worker. */
  push(job: Job): void {
    this.#jobs.push(job);
  }

  /** Adds jobs, and wakes the workers that wait in `waitForJob`. */
  pushAll(jobs: readonly Job[]): void {
    this.#jobs.push(...jobs);
    this.wake();
  }

  /** Puts jobs back at the head of the queue. Their waiting time still counts from their arrival. */
  putBack(...jobs: Job[]): void {
    this.#jobs.splice(0, this.#taken, ...jobs);
    this.#taken = 0;
  }

  /** Declares that no further job comes. */
  close(): void {
    this.#closing = true;
    this.wake();
  }

  /** Wakes all workers that wait in `waitForJob`. */
  wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }
}
