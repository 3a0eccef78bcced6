import type { Worker } from 'node:worker_threads';
import type { Clock } from '../kernel/clock.js';
import { startThread } from '../kernel/thread.js';
import type { Addition, Refusal } from './disk-thread.js';

/** So long what is to be written is gathered, of all files: one message to the thread carries it. */
const GATHER_MS = 100;

interface Owed {
  resolve(): void;
  reject(error: Error): void;
}

/**
 * Writes to the ends of many files, on a thread of its own: a call asks for little, but every second. Going to one of
 * the machine's file threads and back for each of them costs a call a tenth more. The thread starts with the first
 * addition; when it dies, what it owed is rejected and the next addition starts another one.
 */
export class Additions {
  readonly #clock: Clock;
  readonly #start: typeof startThread;
  #thread: Worker | null = null;
  #gathered: Addition[] = [];
  #gatheredFor: Owed[] = [];
  /** What the thread was sent, message by message: it answers in order. */
  #owed: (readonly Owed[])[] = [];
  #sentAtMs = -Infinity;

  constructor(clock: Clock, start: typeof startThread) {
    this.#clock = clock;
    this.#start = start;
  }

  /** Settles when it is written. The piece must not change before. */
  write(addition: Addition): Promise<void> {
    return new Promise((resolve, reject) => {
      if (this.#gathered.length === 0) {
        const sinceMs = this.#clock.monotonicMs() - this.#sentAtMs;
        this.#clock.after(Math.max(0, GATHER_MS - sinceMs), () => this.#send());
      }
      this.#gathered.push(addition);
      this.#gatheredFor.push({ resolve, reject });
    });
  }

  #send(): void {
    const [additions, owed] = [this.#gathered, this.#gatheredFor];
    [this.#gathered, this.#gatheredFor] = [[], []];
    this.#sentAtMs = this.#clock.monotonicMs();
    this.#owed.push(owed);
    const thread = (this.#thread ??= this.#startThread());
    // Only what is owed keeps the process alive.
    thread.ref();
    thread.postMessage(additions);
  }

  #startThread(): Worker {
    const thread = this.#start('media/disk-thread.js', {});
    thread.on('message', (refusals: readonly Refusal[]) => this.#settle(thread, refusals));
    thread.on('error', (error) => this.#lose(thread, error));
    thread.on('exit', () => this.#lose(thread, null));
    return thread;
  }

  #settle(thread: Worker, refusals: readonly Refusal[]): void {
    const owed = this.#owed.shift() ?? [];
    if (this.#owed.length === 0) thread.unref();
    for (const [at, { resolve, reject }] of owed.entries()) {
      const refusal = refusals[at];
      if (refusal) reject(Object.assign(new Error(refusal.message), { code: refusal.code }));
      else resolve();
    }
  }

  #lose(thread: Worker, cause: unknown): void {
    if (this.#thread !== thread) return;
    this.#thread = null;
    for (const { reject } of this.#owed.splice(0).flat())
      reject(new Error('the disk thread died', { cause }));
  }
}
