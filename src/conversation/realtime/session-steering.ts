import type { Steering } from '#conversation/talk/conversation.js';

export interface SessionSteeringParts {
  isOver(): boolean;
  /** Makes the session say a text; a turn that should be replaced is cut first. */
  say(text: string): void;
  interrupt(): void;
  /** Transfers the caller; resolves true if the transfer succeeded. */
  transfer(to: string): Promise<boolean>;
}

/**
 * Steers a conversation by a speech-to-speech session: a person can have a text said and transfer the caller. Muting,
 * hold and taking over are impossible, because a session decides by itself when it speaks.
 */
export class SessionSteering implements Steering {
  readonly mode = 'agent';
  readonly #parts: SessionSteeringParts;

  constructor(parts: SessionSteeringParts) {
    this.#parts = parts;
  }

  say(text: string, { interrupt }: { interrupt: boolean }): boolean {
    if (this.#parts.isOver()) return false;
    if (interrupt) this.#parts.interrupt();
    this.#parts.say(text);
    return true;
  }

  advise(): boolean {
    return false;
  }

  mute(): boolean {
    return false;
  }

  unmute(): boolean {
    return false;
  }

  takeOver(): boolean {
    return false;
  }

  handBack(): boolean {
    return false;
  }

  speak(): void {}

  whisper(): void {}

  hold(): boolean {
    return false;
  }

  resume(): boolean {
    return false;
  }

  transferWarmly(): boolean {
    return false;
  }

  join(): boolean {
    return false;
  }

  quote(): void {}

  part(): void {}

  async transfer(to: string): Promise<boolean> {
    return this.#parts.isOver() ? false : this.#parts.transfer(to);
  }
}
