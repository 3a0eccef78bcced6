import type { Clock } from '#kernel/time/clock.js';

const LOOK_EVERY_MS = 5_000;
/** A unit of work takes 100 ms; a thread silent for this many checks is no longer just busy. */
const MOST_SILENT_LOOKS = 4;
/** At the start a thread loads files, perhaps from a slow disk, and compiles code. */
const MOST_SILENT_LOOKS_AT_FIRST = 12;

/**
 * Detects a thread that hangs: it has pending requests but sends nothing. Checks are counted rather than
 * milliseconds, so that a process that was stalled itself does not blame its threads.
 */
export class SilenceWatch {
  readonly #clock: Clock;
  readonly #onHanging: () => void;
  #mostLooks = MOST_SILENT_LOOKS_AT_FIRST;
  #silentLooks = 0;
  #cancel: (() => void) | null = null;

  /** @param onHanging called once; then nothing is watched until {@link begin} */
  constructor(clock: Clock, onHanging: () => void) {
    this.#clock = clock;
    this.#onHanging = onHanging;
  }

  /** True if the thread has had pending requests for a while without sending anything. */
  get isSilent(): boolean {
    return this.#silentLooks > 1;
  }

  /** The thread has pending requests. */
  begin(): void {
    this.#cancel ??= this.#clock.after(LOOK_EVERY_MS, () => this.#look());
  }

  /** The thread sent a message. */
  heard(): void {
    this.#silentLooks = 0;
    this.#mostLooks = MOST_SILENT_LOOKS;
  }

  /** The thread has no pending requests. */
  end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#silentLooks = 0;
  }

  /** The thread was replaced. */
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
