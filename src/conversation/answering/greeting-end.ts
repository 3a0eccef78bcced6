import { FRAME_MS } from '#media/samples/audio.js';

/** Silence of this length ends a greeting without a beep. */
const QUIET_MS = 3_000;
/** The message is left over a longer greeting, before the machine hangs up. */
const LONGEST_GREETING_MS = 40_000;

/**
 * Decides when to leave a message at an answering machine: after the beep, or else at the end of the greeting. Used by
 * `AnsweringParty`.
 */
export class GreetingEndDetector {
  #silentMs = 0;
  #greetingMs = 0;
  #hasEnded = false;

  /** The machine has beeped, or the carrier reports the end of the greeting: the message is due. */
  greetingEnded(): void {
    this.#hasEnded = true;
  }

  /** Called every 20 ms; true when it is time to leave the message. */
  tick(isSpeaking: boolean): boolean {
    this.#greetingMs += FRAME_MS;
    this.#silentMs = isSpeaking ? 0 : this.#silentMs + FRAME_MS;
    return this.#hasEnded || this.#silentMs >= QUIET_MS || this.#greetingMs >= LONGEST_GREETING_MS;
  }
}
