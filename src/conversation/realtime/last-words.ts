import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;
/** Timeout for the start of the last words, and for their end. */
const UNTIL_WORDS_MS = 3_000;
const LONGEST_MS = 20_000;

/** Hangs up after the last words of a session, or after a timeout if there are none. */
export class LastWords {
  #end: ConversationEnd | null = null;
  #heardAny = false;
  #silentMs = 0;
  #leftMs = LONGEST_MS;

  /** True when the agent's last words are being said or are over. */
  get areSaid(): boolean {
    return this.#end !== null;
  }

  /** @param areKnown true if the last words have begun or are over; otherwise they are waited for */
  begin(end: ConversationEnd, { areKnown = false } = {}): void {
    this.#end ??= end;
    this.#heardAny ||= areKnown;
  }

  /** Called every 20 ms; returns the end when it is due. `isSpeaking`: the agent speaks or sends DTMF tones. */
  tick(isSpeaking: boolean): ConversationEnd | null {
    if (this.#end === null) return null;
    this.#heardAny ||= isSpeaking;
    this.#silentMs = isSpeaking ? 0 : this.#silentMs + FRAME_MS;
    this.#leftMs -= FRAME_MS;
    const patienceMs = this.#heardAny ? FAREWELL_MS : UNTIL_WORDS_MS;
    return this.#silentMs >= patienceMs || this.#leftMs <= 0 ? this.#end : null;
  }
}
