import type { Log } from '#kernel/log/log.js';
import type { SpeechWorker } from './speech-worker.js';

/**
 * The state of a dictation thread. `empty`: not loaded, or died. `free`: loaded and idle. `taken`: transcribes an
 * utterance. `broken`: loading has failed and is not retried.
 */
type ThreadState = 'empty' | 'loading' | 'free' | 'taken' | 'broken';

const LOADED: ReadonlySet<ThreadState> = new Set(['loading', 'free', 'taken']);

/**
 * Assigns the dictation threads, which transcribe free answers word by word. A thread serves one caller at a time, and
 * only while the caller speaks. Each takes 150 MB, so threads are loaded on demand, and another one only if those
 * loaded are not enough. Used by `Dictation`.
 */
export class DictationPool {
  readonly #states: Map<SpeechWorker, ThreadState>;
  readonly #log: Log;

  constructor(workers: readonly SpeechWorker[], log: Log) {
    this.#states = new Map(workers.map((worker) => [worker, 'empty']));
    this.#log = log;
  }

  /** How many threads are loaded or loading. */
  get loadedCount(): number {
    return [...this.#states.values()].filter((state) => LOADED.has(state)).length;
  }

  /**
   * Loads one thread in the background unless one is loaded, because an open question is near. Resolves when one is
   * ready, or at once if none can be loaded; never rejects.
   */
  async prepare(): Promise<void> {
    if (this.loadedCount === 0) await this.#loadAnother();
  }

  /** A free thread, until it is given back. Null if none is free now; another one is then loaded in the background. */
  take(): SpeechWorker | null {
    const worker = this.#first('free');
    if (worker) this.#states.set(worker, 'taken');
    else if (this.#first('loading') === null) void this.#loadAnother();
    return worker;
  }

  /** Returns a thread. @param isBroken true if the thread died; it is loaded again on demand */
  giveBack(worker: SpeechWorker, isBroken: boolean): void {
    if (this.#states.get(worker) === 'taken') this.#states.set(worker, isBroken ? 'empty' : 'free');
  }

  /** Loads a thread that is not loaded, if any; a failure is logged. */
  async #loadAnother(): Promise<void> {
    const worker = this.#first('empty');
    if (!worker) return;
    this.#states.set(worker, 'loading');
    try {
      await worker.request('warm_up', {});
      this.#states.set(worker, 'free');
    } catch (error) {
      this.#states.set(worker, 'broken');
      this.#log.warn({ err: error }, 'dictation could not be loaded');
    }
  }

  /** A thread in this state. */
  #first(wanted: ThreadState): SpeechWorker | null {
    for (const [worker, state] of this.#states) if (state === wanted) return worker;
    return null;
  }
}
