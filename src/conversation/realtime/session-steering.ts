import type { Steering } from '#conversation/talk/conversation.js';

export interface SessionSteeringParts {
  isOver(): boolean;
  /** The session says a text, in place of what it is saying where that is cut first. */
  say(text: string): void;
  interrupt(): void;
  /** Hands the caller over; resolves with whether that was done. */
  transfer(to: string): Promise<boolean>;
}

/**
 * Steers a talk by a speech-to-speech session: it can be told what to say and its caller can be handed over. A session
 * decides by itself when it speaks, so that it can neither be silenced nor replaced by a person.
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
