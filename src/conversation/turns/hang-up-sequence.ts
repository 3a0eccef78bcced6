import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';
import type { TalkState } from '#conversation/talk/talk-machine.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;
/** Limit for the last words to a silent caller. */
const LONGEST_LEAVE_MS = 10_000;

/** The agent's way of hanging up: last words, a short pause, and an end that is certain. */
export class HangUpSequence {
  readonly #log: Log;
  #fadingMs = 0;
  #leftMs = 0;
  #isOfSilence = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** True if the conversation ends because of the caller's silence. */
  get isOfSilence(): boolean {
    return this.#isOfSilence;
  }

  /** The silence was too long; the last words follow. */
  begin(): void {
    this.#isOfSilence = true;
    this.#leftMs = LONGEST_LEAVE_MS;
  }

  /** The caller has spoken after all. */
  callOff(): void {
    this.#isOfSilence = false;
  }

  /** The last word was played. */
  fade(): void {
    this.#fadingMs = FAREWELL_MS;
  }

  /** The end after a failure: a silent caller is hung up on even without last words. */
  endOf(error: unknown): ConversationEnd {
    if (!this.#isOfSilence) return { by: 'error', error: asError(error) };
    this.#log.warn({ err: error }, 'nothing was said before a silent caller was hung up on');
    return { by: 'silence' };
  }

  /** Called every 20 ms; true when it is time to hang up. `isHeld` while DTMF tones are sent. */
  tick(state: TalkState, isHeld: boolean): boolean {
    if (isHeld) return false;
    if (state === 'closing') return (this.#fadingMs -= FRAME_MS) <= 0;
    return this.#isOfSilence && (this.#leftMs -= FRAME_MS) <= 0;
  }
}
