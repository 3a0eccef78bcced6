import { asError } from '#kernel/errors/as-error.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS } from '#media/samples/audio.js';
import type { ConversationEnd } from '#conversation/talk/conversation.js';
import type { TalkState } from '#conversation/talk/talk-machine.js';

/** The pause between the last word and hanging up. */
const FAREWELL_MS = 200;
/** A caller who says nothing is not kept on the line for longer by what is still to be said to them. */
const LONGEST_LEAVE_MS = 10_000;

/** Hanging up, the agent's way: its last words, a short pause, and for certain. */
export class HangUpSequence {
  readonly #log: Log;
  #fadingMs = 0;
  #leftMs = 0;
  #isOfSilence = false;

  constructor(log: Log) {
    this.#log = log;
  }

  /** Whether the talk ends because the caller says nothing. */
  get isOfSilence(): boolean {
    return this.#isOfSilence;
  }

  /** The caller has said nothing for too long; the last words follow. */
  begin(): void {
    this.#isOfSilence = true;
    this.#leftMs = LONGEST_LEAVE_MS;
  }

  /** They have spoken after all. */
  callOff(): void {
    this.#isOfSilence = false;
  }

  /** The last word was played. */
  fade(): void {
    this.#fadingMs = FAREWELL_MS;
  }

  /** What a failure ends: whoever says nothing is hung up on also without a word. */
  endOf(error: unknown): ConversationEnd {
    if (!this.#isOfSilence) return { by: 'error', error: asError(error) };
    this.#log.warn({ err: error }, 'nothing was said before a silent caller was hung up on');
    return { by: 'silence' };
  }

  /** 20 ms later: whether it is time to hang up. `isHeld` while keys are pressed. */
  tick(state: TalkState, isHeld: boolean): boolean {
    if (isHeld) return false;
    if (state === 'closing') return (this.#fadingMs -= FRAME_MS) <= 0;
    return this.#isOfSilence && (this.#leftMs -= FRAME_MS) <= 0;
  }
}
