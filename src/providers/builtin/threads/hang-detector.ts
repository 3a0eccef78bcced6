import type { Clock } from '#kernel/time/clock.js';

/** The interval of the checks. */
const CHECK_EVERY_MS = 5_000;
/** The number of silent checks in a row after which a thread hangs: its longest computation takes half a second. */
const MAX_SILENT_CHECKS = 4;
/**
 * The same for a thread that has not sent anything yet: it loads files, perhaps from a slow disk, and compiles code.
 */
const MAX_SILENT_CHECKS_AT_START = 12;

/**
 * Detects a speech thread that hangs: it has pending requests but sends nothing. Checks are counted instead of
 * milliseconds, so that a process that was stalled itself does not blame its threads. Used by `SpeechWorker`, which
 * replaces a thread that hangs.
 */
export class HangDetector {
  readonly #clock: Clock;
  readonly #onHanging: () => void;
  #maxSilentChecks = MAX_SILENT_CHECKS_AT_START;
  #silentChecks = 0;
  #cancel: (() => void) | null = null;

  /** @param onHanging called once; then the thread is not checked until {@link begin} */
  constructor(clock: Clock, onHanging: () => void) {
    this.#clock = clock;
    this.#onHanging = onHanging;
  }

  /**
   * True if the thread has had pending requests for 10 s without sending anything; it is replaced after 20 s (60 s at
   * its start).
   */
  get isSilent(): boolean {
    return this.#silentChecks > 1;
  }

  /** Starts the checks, because the thread has pending requests. No effect if they run already. */
  begin(): void {
    this.#cancel ??= this.#clock.after(CHECK_EVERY_MS, () => this.#check());
  }

  /** Notes that the thread sent a message. */
  onMessage(): void {
    this.#silentChecks = 0;
    this.#maxSilentChecks = MAX_SILENT_CHECKS;
  }

  /** Stops the checks, because the thread has no pending requests. Its silence so far is forgotten. */
  end(): void {
    this.#cancel?.();
    this.#cancel = null;
    this.#silentChecks = 0;
  }

  /** Stops the checks, because the thread was replaced. */
  reset(): void {
    this.end();
    this.#maxSilentChecks = MAX_SILENT_CHECKS_AT_START;
  }

  #check(): void {
    this.#cancel = null;
    this.#silentChecks += 1;
    if (this.#silentChecks < this.#maxSilentChecks) return this.begin();
    this.reset();
    this.#onHanging();
  }
}
