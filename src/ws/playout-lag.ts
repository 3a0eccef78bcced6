import type { Clock } from '../kernel/clock.js';

/** How often the peer is asked how far it has played: once a second costs one message in fifty. */
const EVERY_FRAMES = 50;
/** The first time, so that an early interruption knows it too. */
const FIRST_FRAME = 5;

/**
 * How far a peer's playing lies behind what it was sent, as its answers to marks tell. A mark comes back when everything
 * sent before it was played, so the time it took is what the peer holds back, the way there and back included.
 */
export class PlayoutLag {
  readonly #clock: Clock;
  #frames = 0;
  #marks = 0;
  /** The mark that is out, and when it was sent; null while none is. */
  #out: { name: string; sentAtMs: number } | null = null;
  #lagMs = 0;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds; 0 until the peer has answered once. */
  get lagMs(): number {
    return this.#lagMs;
  }

  /** A frame is about to follow; the name of a mark to be sent after it, or null. */
  nextMark(): string | null {
    this.#frames += 1;
    if (this.#frames % EVERY_FRAMES !== FIRST_FRAME) return null;
    this.#marks += 1;
    this.#out = { name: `played-${this.#marks}`, sentAtMs: this.#clock.monotonicMs() };
    return this.#out.name;
  }

  /** The peer has played everything up to a mark. */
  reached(name: string): void {
    if (this.#out?.name !== name) return;
    this.#lagMs = this.#clock.monotonicMs() - this.#out.sentAtMs;
    this.#out = null;
  }

  /** What the peer held back is thrown away: it gives the mark back at once, which then says nothing. */
  cleared(): void {
    this.#out = null;
  }
}
