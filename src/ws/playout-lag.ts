import type { Clock } from '../kernel/clock.js';
import { FRAME_MS } from '../media/audio.js';

/** How often the peer is asked how far it has played: once a second costs one message in fifty. */
const EVERY_FRAMES = 50;
/** The first time, and the first after a clear, so that an early interruption knows it too. */
const FIRST_FRAME = 5;
/** Far more than any peer holds back: answers to older ones are not waited for. */
const MOST_OUT = 32;

/**
 * How far a peer's playing lies behind what it was sent, as its answers to marks tell. A mark comes back when
 * everything sent before it was played, so the time it took, with the way there and back, is what the peer holds back.
 */
export class PlayoutLag {
  readonly #clock: Clock;
  #frames = 0;
  #marks = 0;
  /** The marks that are out, the oldest first: a peer that is more than a second behind has several. */
  readonly #out: { name: string; sentAtMs: number }[] = [];
  #lagMs = 0;
  /** What was sent since a clear, after which the peer holds back no more than that; until it answers again. */
  #mostMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds; 0 until the peer has answered once. */
  get lagMs(): number {
    return Math.min(this.#lagMs, this.#mostMs);
  }

  /** A frame is about to follow; the name of a mark to be sent after it, or null. */
  nextMark(): string | null {
    this.#frames += 1;
    this.#mostMs += FRAME_MS;
    if (this.#frames % EVERY_FRAMES !== FIRST_FRAME) return null;
    this.#marks += 1;
    const name = `played-${this.#marks}`;
    this.#out.push({ name, sentAtMs: this.#clock.monotonicMs() });
    if (this.#out.length > MOST_OUT) this.#out.shift();
    return name;
  }

  /** The peer has played everything up to a mark. */
  reached(name: string): void {
    const at = this.#out.findIndex((mark) => mark.name === name);
    if (at < 0) return;
    this.#lagMs = this.#clock.monotonicMs() - this.#out[at]!.sentAtMs;
    this.#mostMs = Infinity;
    // Whatever was sent before it was played too, or lost.
    this.#out.splice(0, at + 1);
  }

  /** What the peer held back is thrown away: it gives its marks back at once, which then say nothing. */
  cleared(): void {
    this.#out.length = 0;
    this.#frames = 0;
    this.#mostMs = 0;
  }
}
