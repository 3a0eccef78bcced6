import type { Log } from '#kernel/log/log.js';
import type { SpeechWorker } from './speech-worker.js';

/**
 * The state of a dictation thread. `empty`: not loaded, or died. `free`: loaded and idle. `taken`: in use for an
 * utterance. `broken`: loading has failed and is not retried.
 */
type ThreadState = 'empty' | 'loading' | 'free' | 'taken' | 'broken';

/** The states of threads that occupy memory. */
const LOADED: ReadonlySet<ThreadState> = new Set(['loading', 'free', 'taken']);

/**
 * Assigns the dictation threads, which transcribe free answers word by word. A thread serves one caller at a time, and
 * only while the caller speaks. Each thread takes 150 MB, so threads are loaded on demand, and a further thread only
 * when none is free. Used by `Dictation`; `pocketsphinx-stt.ts` prepares a thread for an open question.
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
   * Loads a first thread, because an open question is near. Resolves when the loading has ended, successfully or not;
   * at once if a thread is loaded or loading already, or if none is left to load. Never rejects.
   */
  async prepare(): Promise<void> {
    if (this.loadedCount === 0) await this.#loadAnother();
  }

  /**
   * Takes a free thread, which the caller gives back. Null if none is free: unless a thread is loading already, another
   * one is then loaded in the background, for later utterances.
   */
  take(): SpeechWorker | null {
    const worker = this.#first('free');
    if (worker) this.#states.set(worker, 'taken');
    else if (this.#first('loading') === null) void this.#loadAnother();
    return worker;
  }

  /** Returns a taken thread to the pool. @param isBroken true if the thread died; it is loaded again on demand */
  giveBack(worker: SpeechWorker, isBroken: boolean): void {
    if (this.#states.get(worker) === 'taken') this.#states.set(worker, isBroken ? 'empty' : 'free');
  }

  /** Loads a thread in the state `empty`, if there is one; a failure is logged. */
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
