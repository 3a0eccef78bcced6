import type { Requests } from './protocol.js';
import type { SpeechWorker } from './speech-worker.js';

type Asks = Requests['speak']['asks'];

/** What decides who is served first: a caller who hears nothing yet, or one whose sentence still plays. */
export type Urgency = 'first' | 'later';

interface Job {
  asks: Asks;
  resolve(samples: Int16Array): void;
  reject(error: Error): void;
}

/**
 * Hands pieces of text to the speaking threads, one piece at a time each, so that what is no longer wanted can still
 * be withdrawn and an idle thread is always the one that is taken.
 */
export class SynthesisQueue {
  readonly #idle: SpeechWorker[];
  readonly #waiting: Record<Urgency, Set<Job>> = { first: new Set(), later: new Set() };

  constructor(workers: readonly SpeechWorker[]) {
    this.#idle = [...workers];
  }

  /** Pieces of text that no thread has begun with. */
  get waiting(): number {
    return this.#waiting.first.size + this.#waiting.later.size;
  }

  /** Resolves with the sound, or with null when `signal` aborted before a thread began with it. */
  speak(asks: Asks, urgency: Urgency, signal?: AbortSignal): Promise<Int16Array | null> {
    if (signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const queue = this.#waiting[urgency];
      const withdraw = () => {
        if (queue.delete(job)) resolve(null);
      };
      const settled = () => signal?.removeEventListener('abort', withdraw);
      const job: Job = {
        asks,
        resolve: (samples) => (settled(), resolve(samples)),
        reject: (error: Error) => (settled(), reject(error)),
      };
      signal?.addEventListener('abort', withdraw, { once: true });
      queue.add(job);
      this.#serve();
    });
  }

  #serve(): void {
    while (this.#idle.length > 0) {
      const job = this.#next();
      if (!job) return;
      const worker = this.#idle.shift()!;
      worker
        .request('speak', job.asks)
        .then(job.resolve, job.reject)
        .finally(() => {
          this.#idle.push(worker);
          this.#serve();
        });
    }
  }

  #next(): Job | undefined {
    for (const queue of [this.#waiting.first, this.#waiting.later]) {
      for (const job of queue) {
        queue.delete(job);
        return job;
      }
    }
    return undefined;
  }
}
