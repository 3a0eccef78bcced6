import type { Clock } from '#kernel/time/clock.js';

const LOOK_EVERY_MS = 5_000;
/** A piece of work takes a tenth of a second; so long, times four, is no queue any more. */
const MOST_SILENT_LOOKS = 4;
/** What a thread works with may come from a slow disk, and is compiled first. */
const MOST_SILENT_LOOKS_AT_FIRST = 12;

/**
 * Notices that a thread which owes something says nothing: it hangs, without having died. Looks are counted, and not
 * milliseconds, so that a process which was held up itself does not blame its threads.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onHanging: () => void;
  #mostLooks = MOST_SILENT_LOOKS_AT_FIRST;
  #silentLooks = 0;
  #cancel: (() => void) | null = null;

  /** @param onHanging called once, after which nothing is watched until {@link begin} */
  constructor(clock: Clock, onHanging: () => void) {
    this.#clock = clock;
    this.#onHanging = onHanging;
  }

  /** Whether it has owed something for a while without a word. */
  get isSilent(): boolean {
    return this.#silentLooks > 1;
  }

  /** The thread owes something, from now on or still. */
  begin(): void {
    this.#cancel ??= this.#clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** It said something. */
  heard(): void {
    this.#silentLooks = 0;
    this.#mostLooks = MOST_SILENT_LOOKS;
  }

  /** It owes nothing any more. */
  end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#silentLooks = 0;
  }

  /** Another thread is in its place. */
  reset(): void {
    this.end();
    this.#mostLooks = MOST_SILENT_LOOKS_AT_FIRST;
  }

  #look(): void {
    this.#cancel = null;
    this.#silentLooks += 1;
    if (this.#silentLooks < this.#mostLooks) return this.begin();
    this.reset();
    this.#onHanging();
  }
}
