import type { Log } from '#kernel/log/log.js';
import type { SpeechWorker } from './speech-worker.js';

/** `broken`: it could not be loaded, and is not tried again. */
type SeatState = 'empty' | 'loading' | 'free' | 'taken' | 'broken';

const LOADED: ReadonlySet<SeatState> = new Set(['loading', 'free', 'taken']);

/**
 * Hands out the threads that take dictation: one to a caller at a time, and only while that caller talks. Each costs
 * 150 MB, so none is loaded before somebody wants it, and another one only when those loaded do not suffice.
 */
export class DictationPool {
  readonly #seats: Map<SpeechWorker, SeatState>;
  readonly #log: Log;

  constructor(workers: readonly SpeechWorker[], log: Log) {
    this.#seats = new Map(workers.map((worker) => [worker, 'empty']));
    this.#log = log;
  }

  /** How many threads are loaded, or about to be. */
  get loaded(): number {
    return [...this.#seats.values()].filter((state) => LOADED.has(state)).length;
  }

  /**
   * Loads one in the background, unless one is there already: somebody will be asked an open question soon. Resolves
   * when one is ready, at once where there is none to load; never rejects.
   */
  async prepare(): Promise<void> {
    if (this.loaded === 0) await this.#loadAnother();
  }

  /** A thread that is ready and free, until it is given back; null when there is none at this moment. */
  take(): SpeechWorker | null {
    const worker = this.#first('free');
    if (worker) this.#seats.set(worker, 'taken');
    else if (this.#first('loading') === null) void this.#loadAnother();
    return worker;
  }

  /** @param isBroken its thread died: it is loaded anew when it is wanted again */
  giveBack(worker: SpeechWorker, isBroken: boolean): void {
    if (this.#seats.get(worker) === 'taken') this.#seats.set(worker, isBroken ? 'empty' : 'free');
  }

  async #loadAnother(): Promise<void> {
    const worker = this.#first('empty');
    if (!worker) return;
    this.#seats.set(worker, 'loading');
    try {
      await worker.request('warm_up', {});
      this.#seats.set(worker, 'free');
    } catch (error) {
      this.#seats.set(worker, 'broken');
      this.#log.warn({ err: error }, 'dictation could not be loaded');
    }
  }

  #first(wanted: SeatState): SpeechWorker | null {
    for (const [worker, state] of this.#seats) if (state === wanted) return worker;
    return null;
  }
}
