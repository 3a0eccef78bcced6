import { receiveMessageOnPort, type MessagePort } from 'node:worker_threads';
import { systemClock } from '#kernel/time/clock.js';
import { JobQueue, type Job } from './job-queue.js';
import type { ToThread } from './thread-protocol.js';

/** The queue of a store thread: the jobs that its `ThreadClient` sends. The engines take their jobs from it. */
export class Inbox extends JobQueue {
  readonly #port: MessagePort;

  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('message', (message: ToThread) => this.#accept(message));
  }

  /** Waits for a job. Messages that have arrived are read at once: their events would cost a turn of the event loop. */
  override some(): Promise<boolean> {
    this.#drain();
    return super.some();
  }

  /** The next job, including those that arrived since `some`. A caller in a loop must bound it. */
  nextOrNew(): Job | undefined {
    if (this.isEmpty) this.#drain();
    return this.next();
  }

  /** Reads all messages that have arrived, and wakes the other workers: there may be jobs for them, too. */
  #drain(): void {
    for (
      let received = receiveMessageOnPort(this.#port);
      received;
      received = receiveMessageOnPort(this.#port)
    ) {
      this.#accept(received.message as ToThread);
    }
  }

  /** Adds the jobs of a message, or closes the queue. `open` was handled before the inbox existed. */
  #accept(message: ToThread): void {
    if (message.kind === 'close') return this.close();
    if (message.kind === 'open') return;
    const { ids, transactions, args } = message.requests;
    const cameAtMs = systemClock.monotonicMs();
    for (let i = 0; i < ids.length; i += 1)
      this.push({ id: ids[i]!, transaction: transactions[i]!, args: args[i], cameAtMs });
    this.wake();
  }
}
