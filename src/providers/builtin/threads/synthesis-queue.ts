import type { Requests } from './protocol.js';
import type { SpeechWorker } from './speech-worker.js';

type Asks = Requests['speak']['asks'];

/** What decides who is served first: a caller who hears nothing yet, or one whose sentence still plays. */
export type Urgency = 'first' | 'later';

/** Who waits for a piece of text. */
interface Asker {
  resolve(samples: Int16Array | null): void;
  reject(error: Error): void;
}

/** One piece of text, and all who wait for it. */
interface Job {
  asks: Asks;
  askers: Set<Asker>;
}

/**
 * Hands pieces of text to the speaking threads, one piece at a time each, so that what is no longer wanted can still
 * be withdrawn and an idle thread is always the one that is taken. Who asks for what is being made already waits for
 * the same sound: a batch begins with one greeting on many lines at once.
 */
export class SynthesisQueue {
  readonly #idle: SpeechWorker[];
  readonly #waiting: Record<Urgency, Set<Job>> = { first: new Set(), later: new Set() };
  /** Those that wait and those that a thread has begun with. */
  readonly #jobs = new Map<string, Job>();

  constructor(workers: readonly SpeechWorker[]) {
    this.#idle = [...workers];
  }

  /** Pieces of text that no thread has begun with. */
  get waiting(): number {
    return this.#waiting.first.size + this.#waiting.later.size;
  }

  /**
   * Resolves with the sound, or with null when `signal` aborted before it was made. The same piece of text, asked for
   * several times at once, is made once; each who asked has a sound of their own.
   */
  speak(asks: Asks, urgency: Urgency, signal?: AbortSignal): Promise<Int16Array | null> {
    if (signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const job = this.#jobFor(asks, urgency);
      const leave = () => {
        job.askers.delete(asker);
        if (job.askers.size === 0) this.#withdraw(job);
        resolve(null);
      };
      const settled = () => signal?.removeEventListener('abort', leave);
      const asker: Asker = {
        resolve: (samples) => (settled(), resolve(samples)),
        reject: (error) => (settled(), reject(error)),
      };
      signal?.addEventListener('abort', leave, { once: true });
      job.askers.add(asker);
      this.#serve();
    });
  }

  /** The job that makes this very sound; it waits where the most urgent of its askers would. */
  #jobFor(asks: Asks, urgency: Urgency): Job {
    const key = keyOf(asks);
    const job = this.#jobs.get(key) ?? { asks, askers: new Set() };
    const isNew = !this.#jobs.has(key);
    this.#jobs.set(key, job);
    if (isNew || (urgency === 'first' && this.#waiting.later.delete(job))) this.#waiting[urgency].add(job);
    return job;
  }

  /** Nobody wants it any more. What a thread has begun with is finished, for whoever asks until then. */
  #withdraw(job: Job): void {
    const isUnbegun = [this.#waiting.first, this.#waiting.later].some((queue) => queue.delete(job));
    if (isUnbegun) this.#jobs.delete(keyOf(job.asks));
  }

  #serve(): void {
    while (this.#idle.length > 0) {
      const job = this.#next();
      if (!job) return;
      const worker = this.#idle.shift()!;
      worker
        .request('speak', job.asks)
        .then(
          (samples) => this.#settle(job, (asker) => asker.resolve(samples.slice())),
          (error: Error) => this.#settle(job, (asker) => asker.reject(error)),
        )
        .finally(() => {
          this.#idle.push(worker);
          this.#serve();
        });
    }
  }

  #settle(job: Job, tell: (asker: Asker) => void): void {
    this.#jobs.delete(keyOf(job.asks));
    for (const asker of job.askers) tell(asker);
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

function keyOf({ voice, sampleRateHz, text }: Asks): string {
  return `${voice} ${sampleRateHz} ${text}`;
}
