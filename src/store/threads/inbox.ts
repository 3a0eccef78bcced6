import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#kernel/time/clock.js';
import type { ToThread } from './thread-protocol.js';

/** One unit that somebody waits for. */
export interface Job {
  id: number;
  unit: string;
  args: unknown;
  /** When it came here, in monotonic time. */
  cameAtMs: number;
}

/** The thread's queue of waiting units, first come, first served. */
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
   * Waits until at least one unit waits (true), or until the store was asked to close and nothing waits any more.
   * What was sent since the last look is taken in at once, without a turn of the event loop.
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

  /** What cannot be done by whoever has taken it is the next for whoever can, and waits as long as before. */
  giveBack(job: Job): void {
    this.#jobs.splice(0, this.#taken, job);
    this.#taken = 0;
  }

  /** The next unit, also one that was asked for while those before it ran: whoever takes these must stop some time. */
  nextOrNew(): Job | undefined {
    if (this.#taken === this.#jobs.length) this.#drain();
    return this.next();
  }

  #wake(): void {
    const sleepers = this.#sleepers;
    this.#sleepers = [];
    for (const wake of sleepers) wake();
  }

  /** Whoever takes in what several can work on does not leave the others asleep. */
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
    const { ids, units, args } = message.questions;
    const cameAtMs = systemClock.monotonicMs();
    for (let i = 0; i < ids.length; i += 1)
      this.#jobs.push({ id: ids[i]!, unit: units[i]!, args: args[i], cameAtMs });
  }
}
