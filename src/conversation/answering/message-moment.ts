import { FRAME_MS } from '#media/samples/audio.js';

/** A greeting without a beep is over when nothing was said for so long. */
const QUIET_MS = 3_000;
/** Whoever has greeted for so long is interrupted: the machine would hang up. */
const LONGEST_GREETING_MS = 40_000;

/** Waits for the moment to leave a message: the beep, or else the end of the greeting. */
export class MessageMoment {
  #quietMs = 0;
  #waitedMs = 0;
  #isNow = false;

  /** The machine has beeped, or its carrier says that the greeting is over. */
  greetingEnded(): void {
    this.#isNow = true;
  }

  /** 20 ms later: whether the time has come. */
  tick(isSpeaking: boolean): boolean {
    this.#waitedMs += FRAME_MS;
    this.#quietMs = isSpeaking ? 0 : this.#quietMs + FRAME_MS;
    return this.#isNow || this.#quietMs >= QUIET_MS || this.#waitedMs >= LONGEST_GREETING_MS;
  }
}
