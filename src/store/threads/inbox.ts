import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#kernel/time/clock.js';
import { JobQueue, type Job } from './job-queue.js';
import type { ToThread } from './thread-protocol.js';

/** The queue of a store thread: the jobs that its `ThreadClient` sends, for its engine to take. */
export class Inbox extends JobQueue {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message: ToThread) => this.#accept(message));
  }

  /**
   * As `JobQueue.waitForJob`, but reads messages that have arrived first: their events would cost a turn of the loop.
   */
  override waitForJob(): Promise<boolean> {
    this.#drain();
    return super.waitForJob();
  }

  /** Takes the next job, also one that has just arrived. A loop over this method needs a bound: jobs may never end. */
  takeOrReceive(): Job | undefined {
    if (this.isEmpty) this.#drain();
    return this.take();
  }

  /** Reads all messages that have arrived. */
  #drain(): void {
    for (
      let received = receiveMessageOnPort(this.#port);
      received;
      received = receiveMessageOnPort(this.#port)
    ) {
      this.#accept(received.message as ToThread);
    }
  }

  /** Adds the jobs of a message and wakes those who wait for jobs, or closes the queue. `open` was handled earlier. */
  #accept(message: ToThread): void {
    if (message.kind === 'close') return this.close();
    if (message.kind === 'open') return;
    const { ids, transactions, args } = message.requests;
    const cameAtMs = systemClock.monotonicMs();
    for (let i = 0; i < ids.length; i += 1)
      this.push({ id: ids[i]!, transaction: transactions[i]!, args: args[i], arrivedAtMs: cameAtMs });
    this.wake();
  }
}
