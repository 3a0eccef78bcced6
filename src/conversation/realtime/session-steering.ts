import type { Steering } from '#conversation/talk/conversation.js';

/** The dependencies of {@link SessionSteering}. */
export interface SessionSteeringParts {
  /** True when the conversation is over or about to end. */
  isOver(): boolean;
  /** Makes the session say a text after its present turn. */
  say(text: string): void;
  /** Cuts the agent's present turn. */
  interrupt(): void;
  /** Transfers the caller; resolves true if the transfer succeeded. */
  transfer(to: string): Promise<boolean>;
}

/**
 * Steering of a speech-to-speech conversation by a person of the console or the API, who can make the agent say a text
 * and can transfer the caller. All other methods do nothing (and return false), because a session decides by itself
 * when it speaks. Made by `RealtimeConversation`.
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

  personLeft(): void {}

  async transfer(to: string): Promise<boolean> {
    return this.#parts.isOver() ? false : this.#parts.transfer(to);
  }
}
