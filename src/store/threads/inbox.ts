import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#kernel/time/clock.js';
import type { ToThread } from './thread-protocol.js';

/** A requested transaction. */
export interface Job {
  id: number;
  transaction: string;
  args: unknown;
  /** When it arrived (monotonic). */
  cameAtMs: number;
}

/** The queue of a store thread, first in, first out. */
export class Inbox {
  readonly #port: MessagePort;
  #jobs: Job[] = [];
  #taken = 0;
  #closing = false;
  #sleepers: (() => void)[] = [];

  constructor(port: MessagePort) {
    this.#port = port;
    port.on('message', (message: ToThread) => {
      this.#accept(message);
      this.#wake();
    });
  }

  /**
   * Resolves with true when a job waits, and with false when the store is to close and no job waits. Messages that have
   * arrived are read at once, without a turn of the event loop.
   */
  async some(): Promise<boolean> {
    this.#drain();
    while (this.#taken === this.#jobs.length) {
      if (this.#closing) return false;
      await new Promise<void>((resolve) => this.#sleepers.push(resolve));
    }
    return true;
  }

  next(): Job | undefined {
    const job = this.#jobs[this.#taken];
    if (job === undefined) return undefined;
    this.#taken += 1;
    if (this.#taken === this.#jobs.length) {
      this.#jobs = [];
      this.#taken = 0;
    }
    return job;
  }

  /** Puts a job back at the head of the queue. Its waiting time still counts from its arrival. */
  giveBack(job: Job): void {
    this.#jobs.splice(0, this.#taken, job);
    this.#taken = 0;
  }

  /** The next job, including those that arrived since `some`. A caller in a loop must bound it. */
  nextOrNew(): Job | undefined {
    if (this.#taken === this.#jobs.length) this.#drain();
    return this.next();
  }

  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }

  /** Reads all messages that have arrived, and wakes the other workers: there may be jobs for them, too. */
  #drain(): void {
    for (
      let received = receiveMessageOnPort(this.#port);
      received;
      received = receiveMessageOnPort(this.#port)
    ) {
      this.#accept(received.message as ToThread);
      this.#wake();
    }
  }

  #accept(message: ToThread): void {
    if (message.kind === 'close') {
      this.#closing = true;
      return;
    }
    if (message.kind === 'open') return;
    const { ids, transactions, args } = message.requests;
    const cameAtMs = systemClock.monotonicMs();
    for (let i = 0; i < ids.length; i += 1)
      this.#jobs.push({ id: ids[i]!, transaction: transactions[i]!, args: args[i], cameAtMs });
  }
}
