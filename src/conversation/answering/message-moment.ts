import { FRAME_MS } from '#media/samples/audio.js';

/** Silence that ends a greeting without a beep. */
const QUIET_MS = 3_000;
/** A longer greeting is interrupted: the machine would hang up. */
const LONGEST_GREETING_MS = 40_000;

/** Waits for the moment to leave a message: the beep, or else the end of the greeting. */
export class MessageMoment {
  #quietMs = 0;
  #waitedMs = 0;
  #isNow = false;

  /** The machine has beeped, or the carrier reports the end of the greeting. */
  greetingEnded(): void {
    this.#isNow = true;
  }

  /** Called every 20 ms; true when it is time to leave the message. */
  tick(isSpeaking: boolean): boolean {
    this.#waitedMs += FRAME_MS;
    this.#quietMs = isSpeaking ? 0 : this.#quietMs + FRAME_MS;
    return this.#isNow || this.#quietMs >= QUIET_MS || this.#waitedMs >= LONGEST_GREETING_MS;
  }
}
