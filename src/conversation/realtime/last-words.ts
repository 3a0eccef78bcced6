import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';

/** The pause between the last word and hanging up. */
const PAUSE_BEFORE_HANG_UP_MS = 200;
/** Timeout for the start of the last words, and for their end. */
const START_TIMEOUT_MS = 3_000;
const END_TIMEOUT_MS = 20_000;

/**
 * Decides when a speech-to-speech conversation hangs up: after the agent's last words, or after a timeout if there are
 * none. Used by `RealtimeConversation`; other conversations have `HangUpSequence`.
 */
export class LastWords {
  /** The end of the conversation; null while no end is near. */
  #end: ConversationEnd | null = null;
  #wordsHaveBegun = false;
  /** How long the agent has been silent. */
  #silentMs = 0;
  /** The time until the call ends in any case. */
  #leftMs = END_TIMEOUT_MS;

  /** True once the conversation is about to end: the agent's last words are expected, being said or over. */
  get isEnding(): boolean {
    return this.#end !== null;
  }

  /**
   * The conversation will end with `end`; the first call decides it.
   * @param haveBegun true if the last words have begun or are over; otherwise they are waited for
   */
  begin(end: ConversationEnd, { haveBegun = false } = {}): void {
    this.#end ??= end;
    this.#wordsHaveBegun ||= haveBegun;
  }

  /**
   * Called every 20 ms; returns the end when it is time to hang up. `isSpeaking`: the agent speaks or sends DTMF keys.
   */
  tick(isSpeaking: boolean): ConversationEnd | null {
    if (this.#end === null) return null;
    this.#wordsHaveBegun ||= isSpeaking;
    this.#silentMs = isSpeaking ? 0 : this.#silentMs + FRAME_MS;
    this.#leftMs -= FRAME_MS;
    const silenceLimitMs = this.#wordsHaveBegun ? PAUSE_BEFORE_HANG_UP_MS : START_TIMEOUT_MS;
    return this.#silentMs >= silenceLimitMs || this.#leftMs <= 0 ? this.#end : null;
  }
}
