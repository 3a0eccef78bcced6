import type { Log } from '../../kernel/log/log.js';
import type { SpeechLane } from './speech-lane.js';

/** `broken`: it could not be loaded, and is not tried again. */
type SeatState = 'empty' | 'loading' | 'free' | 'taken' | 'broken';

const LOADED: ReadonlySet<SeatState> = new Set(['loading', 'free', 'taken']);

/**
 * Hands out the threads that take dictation: one to a caller at a time, and only while that caller talks. Each costs
 * 150 MB, so none is loaded before somebody wants it, and another one only when those loaded do not suffice.
 */
export class DictationDesk {
  readonly #seats: Map<SpeechLane, SeatState>;
  readonly #log: Log;

  constructor(lanes: readonly SpeechLane[], log: Log) {
    this.#seats = new Map(lanes.map((lane) => [lane, 'empty']));
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
  take(): SpeechLane | null {
    const lane = this.#first('free');
    if (lane) this.#seats.set(lane, 'taken');
    else if (this.#first('loading') === null) void this.#loadAnother();
    return lane;
  }

  /** @param isBroken its thread died: it is loaded anew when it is wanted again */
  giveBack(lane: SpeechLane, isBroken: boolean): void {
    if (this.#seats.get(lane) === 'taken') this.#seats.set(lane, isBroken ? 'empty' : 'free');
  }

  async #loadAnother(): Promise<void> {
    const lane = this.#first('empty');
    if (!lane) return;
    this.#seats.set(lane, 'loading');
    try {
      await lane.request('warm_up', {});
      this.#seats.set(lane, 'free');
    } catch (error) {
      this.#seats.set(lane, 'broken');
      this.#log.warn({ err: error }, 'dictation could not be loaded');
    }
  }

  #first(wanted: SeatState): SpeechLane | null {
    for (const [lane, state] of this.#seats) if (state === wanted) return lane;
    return null;
  }
}
