import { FRAME_MS } from '#media/samples/audio.js';
import type { TalkEvent } from '#conversation/talk/talk-machine.js';

/** How long nobody need say anything: until the talk ends, until the agent asks, and how often it asks. */
export interface SilenceLimits {
  silenceTimeoutSeconds: number;
  idlePromptSeconds: number;
  maxIdlePrompts: number;
}

/** What silence asks for now. */
export type SilenceStep = 'none' | 'prompt' | 'hang_up';

/** What each step is to the talk. */
export const SILENCE_EVENTS: Readonly<Record<Exclude<SilenceStep, 'none'>, TalkEvent>> = {
  prompt: 'idle',
  hang_up: 'silence',
};

/**
 * What to do when the caller says nothing: ask whether they are there, a few times, then hang up.
 *
 * The silence that hangs up runs from the caller's last sound of speech, or from the end of the agent's last turn
 * where that came later, since nobody answers a question before it is asked. The agent's own "are you still there?"
 * does not begin it anew. The silence that prompts begins anew whenever the agent has stopped speaking. Both stand
 * still while the agent thinks or speaks or the caller speaks: nobody is hung up on at the end of a question.
 */
export class SilenceLadder {
  readonly #promptTicks: number;
  readonly #hangUpTicks: number;
  readonly #maxPrompts: number;
  /** Ticks since the caller's turn to speak began; ticks of the agent's silence since it last spoke. */
  #silentTicks = 0;
  #idleTicks = 0;
  #prompts = 0;

  constructor(limits: SilenceLimits) {
    this.#promptTicks = (limits.idlePromptSeconds * 1000) / FRAME_MS;
    this.#hangUpTicks = (limits.silenceTimeoutSeconds * 1000) / FRAME_MS;
    this.#maxPrompts = limits.maxIdlePrompts;
  }

  /** How often in a row the caller has been asked. */
  get prompts(): number {
    return this.#prompts;
  }

  /** The caller said, typed or pressed something. */
  callerActed(): void {
    this.#silentTicks = this.#idleTicks = this.#prompts = 0;
  }

  /** The agent has stopped speaking. */
  agentStopped(wasPrompt: boolean): void {
    this.#idleTicks = 0;
    if (!wasPrompt) this.#silentTicks = 0;
  }

  /** One tick went by; `isQuiet` when the agent listens and nobody speaks. */
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
