import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';
import type { TalkState } from '#conversation/talk/talk-machine.js';

/** The pause between the last word and hanging up. */
const PAUSE_BEFORE_HANG_UP_MS = 200;
/** Time limit for the last words to a silent caller, from the decision to hang up. */
const LAST_WORDS_LIMIT_MS = 10_000;

/**
 * Times the agent's hang-up: a short pause after the last words. When a silent caller is hung up on, there is also a
 * limit, after which the call ends even if the last words were not played. Used by `LiveConversation`.
 */
export class HangUpSequence {
  readonly #log: Log;
  #pauseLeftMs = 0;
  #lastWordsLeftMs = 0;
  #isForSilence = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** True if the conversation ends because of the caller's silence. */
  get isForSilence(): boolean {
    return this.#isForSilence;
  }

  /** The caller was silent for too long; the last words follow. */
  beginForSilence(): void {
    this.#isForSilence = true;
    this.#lastWordsLeftMs = LAST_WORDS_LIMIT_MS;
  }

  /** The caller has spoken after all: there is no hang-up. */
  cancel(): void {
    this.#isForSilence = false;
  }

  /** The last word was played: the pause before the hang-up begins. */
  lastWordPlayed(): void {
    this.#pauseLeftMs = PAUSE_BEFORE_HANG_UP_MS;
  }

  /** The end after a failure: an error, or silence if the failure only cost a silent caller the last words. */
  endOf(error: unknown): ConversationEnd {
    if (!this.#isForSilence) return { by: 'error', error: asError(error) };
    this.#log.warn({ err: error }, 'nothing was said before a silent caller was hung up on');
    return { by: 'silence' };
  }

  /** Called every 20 ms; true when it is time to hang up. `isSendingKeys` delays it. */
  tick(state: TalkState, isSendingKeys: boolean): boolean {
    if (isSendingKeys) return false;
    if (state === 'closing') return (this.#pauseLeftMs -= FRAME_MS) <= 0;
    return this.#isForSilence && (this.#lastWordsLeftMs -= FRAME_MS) <= 0;
  }
}
