import type { Requests } from './protocol.js';
import type { SpeechWorker } from './speech-worker.js';

type SynthesisRequest = Requests['speak']['input'];

/**
 * The priority of a request. `first`: the caller hears nothing until the audio comes. `later`: another sentence still
 * plays.
 */
export type Urgency = 'first' | 'later';

/** The callbacks of one pending request. */
interface Waiter {
  resolve(samples: Int16Array | null): void;
  reject(error: Error): void;
}

/** One text to synthesise, and the pending requests for it. */
interface Job {
  request: SynthesisRequest;
  waiters: Set<Waiter>;
}

/**
 * Distributes texts to the speaking threads. A thread gets a text only when it is idle, so that a text which is no
 * longer needed can be withdrawn before. Requests for the same text share one synthesis: the calls of a batch begin
 * with the same greeting. Used by the built-in voice.
 */
export class SynthesisQueue {
  readonly #idle: SpeechWorker[];
  readonly #waiting: Record<Urgency, Set<Job>> = { first: new Set(), later: new Set() };
  /** Waiting and started jobs, by voice, sample rate and text. */
  readonly #jobs = new Map<string, Job>();

  constructor(workers: readonly SpeechWorker[]) {
    this.#idle = [...workers];
  }

  /** The number of texts that wait for a thread. */
  get waiting(): number {
    return this.#waiting.first.size + this.#waiting.later.size;
  }

  /**
   * Resolves with the audio, or null if `signal` aborted first. Simultaneous requests for the same text share one
   * synthesis; each receives its own copy.
   */
  speak(request: SynthesisRequest, urgency: Urgency, signal?: AbortSignal): Promise<Int16Array | null> {
    if (signal?.aborted) return Promise.resolve(null);
    return new Promise((resolve, reject) => {
      const job = this.#jobFor(request, urgency);
      const leave = () => {
        job.waiters.delete(waiter);
        if (job.waiters.size === 0) this.#withdraw(job);
        resolve(null);
      };
      const stopListening = () => signal?.removeEventListener('abort', leave);
      const waiter: Waiter = {
        resolve: (samples) => (stopListening(), resolve(samples)),
        reject: (error) => (stopListening(), reject(error)),
      };
      signal?.addEventListener('abort', leave, { once: true });
      job.waiters.add(waiter);
      this.#serve();
    });
  }

  /** The job for this audio, existing or new. A waiting job moves to `first` if this request is urgent. */
  #jobFor(request: SynthesisRequest, urgency: Urgency): Job {
    const key = keyOf(request);
    const job = this.#jobs.get(key) ?? { request, waiters: new Set() };
    const isNew = !this.#jobs.has(key);
    this.#jobs.set(key, job);
    if (isNew || (urgency === 'first' && this.#waiting.later.delete(job))) this.#waiting[urgency].add(job);
    return job;
  }

  /** Removes a waiting job without requests. A started job cannot be stopped; later requests may still join it. */
  #withdraw(job: Job): void {
    const wasWaiting = [this.#waiting.first, this.#waiting.later].some((queue) => queue.delete(job));
    if (wasWaiting) this.#jobs.delete(keyOf(job.request));
  }

  /** Gives waiting jobs to idle threads. */
  #serve(): void {
    while (this.#idle.length > 0) {
      const job = this.#next();
      if (!job) return;
      const worker = this.#idle.shift()!;
      worker
        .request('speak', job.request)
        .then(
          (samples) => this.#complete(job, (waiter) => waiter.resolve(samples.slice())),
          (error: Error) => this.#complete(job, (waiter) => waiter.reject(error)),
        )
        .finally(() => {
          this.#idle.push(worker);
          this.#serve();
        });
    }
  }

  /** Ends a job and notifies its pending requests. */
  #complete(job: Job, notify: (waiter: Waiter) => void): void {
    this.#jobs.delete(keyOf(job.request));
    for (const waiter of job.waiters) notify(waiter);
  }

  /** Removes and returns the next waiting job: urgent ones first, each kind in order of arrival. */
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

function keyOf({ voice, sampleRateHz, text }: SynthesisRequest): string {
  return `${voice} ${sampleRateHz} ${text}`;
}
