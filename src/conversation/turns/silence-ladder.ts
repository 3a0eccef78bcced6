import { FRAME_MS } from '#media/samples/audio.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';

/**
 * The agent's settings for a silent caller: silence until hanging up, silence until a prompt, and number of prompts.
 */
export interface SilenceLimits {
  silenceTimeoutSeconds: number;
  idlePromptSeconds: number;
  maxIdlePrompts: number;
}

/** The step that is due. */
export type SilenceStep = 'none' | 'prompt' | 'hang_up';

/** The conversation's event for each step. */
export const SILENCE_EVENTS: Readonly<Record<Exclude<SilenceStep, 'none'>, TalkEvent>> = {
  prompt: 'idle',
  hang_up: 'silence',
};

/**
 * Decides when to prompt a silent caller ("are you still there?") and when to hang up. Used by `LiveConversation` and
 * `RealtimeConversation`.
 *
 * The silence until hanging up runs from the caller's last speech, or from the end of the agent's last turn if that is
 * later. A prompt does not restart it, except in a `RealtimeConversation`, which reports prompts like other turns.
 * The silence until a prompt restarts whenever the agent stops speaking. Neither is counted while the agent thinks
 * or speaks or the caller speaks, so that no caller is hung up on at the end of a question.
 */
export class SilenceLadder {
  readonly #promptTicks: number;
  readonly #hangUpTicks: number;
  readonly #maxPrompts: number;
  /** Ticks of silence since the caller acted or the agent's last turn ended, prompts left out. */
  #silentTicks = 0;
  /** Ticks of silence since the caller acted or the agent's last turn ended, prompts included. */
  #idleTicks = 0;
  #prompts = 0;

  constructor(limits: SilenceLimits) {
    this.#promptTicks = (limits.idlePromptSeconds * 1000) / FRAME_MS;
    this.#hangUpTicks = (limits.silenceTimeoutSeconds * 1000) / FRAME_MS;
    this.#maxPrompts = limits.maxIdlePrompts;
  }

  /** Prompts in a row without an answer. */
  get prompts(): number {
    return this.#prompts;
  }

  /** The caller spoke, typed or pressed a key. */
  callerActed(): void {
    this.#silentTicks = this.#idleTicks = this.#prompts = 0;
  }

  /** The agent has stopped speaking. `wasPrompt`: it only asked whether the caller is still there. */
  agentStopped(wasPrompt: boolean): void {
    this.#idleTicks = 0;
    if (!wasPrompt) this.#silentTicks = 0;
  }

  /**
   * Counts one tick ({@link FRAME_MS}), and returns the step that is due now.
   * @param isQuiet true while the agent listens and the caller is silent; other ticks do not count
   */
  tick(isQuiet: boolean): SilenceStep {
    if (!isQuiet) return 'none';
    this.#silentTicks += 1;
    this.#idleTicks += 1;
    if (this.#silentTicks >= this.#hangUpTicks) return 'hang_up';
    if (this.#idleTicks < this.#promptTicks || this.#prompts >= this.#maxPrompts) return 'none';
    this.#prompts += 1;
    return 'prompt';
  }
}
