import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;
/** How long last words are waited for, and how long they may take. */
const UNTIL_WORDS_MS = 3_000;
const LONGEST_MS = 20_000;

/** Hanging up behind the last words of a session, and for certain when none come. */
export class LastWords {
  #end: ConversationEnd | null = null;
  #heardAny = false;
  #silentMs = 0;
  #leftMs = LONGEST_MS;

  /** What is said now is the agent's last, or was. */
  get areSaid(): boolean {
    return this.#end !== null;
  }

  /** `areKnown`: they have been said or begun; otherwise they are waited for. */
  begin(end: ConversationEnd, { areKnown = false } = {}): void {
    this.#end ??= end;
    this.#heardAny ||= areKnown;
  }

  /** 20 ms later: the end, when its time has come. `isSpeaking`: the agent speaks, or presses keys. */
  tick(isSpeaking: boolean): ConversationEnd | null {
    if (this.#end === null) return null;
    this.#heardAny ||= isSpeaking;
    this.#silentMs = isSpeaking ? 0 : this.#silentMs + FRAME_MS;
    this.#leftMs -= FRAME_MS;
    const patienceMs = this.#heardAny ? FAREWELL_MS : UNTIL_WORDS_MS;
    return this.#silentMs >= patienceMs || this.#leftMs <= 0 ? this.#end : null;
  }
}
