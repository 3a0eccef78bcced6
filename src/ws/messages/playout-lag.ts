import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** How often the peer is asked how far it has played: once in a second of sound costs next to nothing. */
const EVERY_FRAMES = 50;
/** The first time, and the first after a clear or a silence, so that an early interruption knows it too. */
const FIRST_FRAMES = 5;
/** After a silence of this length the peer may have made up for what it was behind. */
const SILENCE_MS = 200;
/** Far more than any peer holds back: answers to older ones are not waited for. */
const MOST_OUT = 32;
/** An answer that is so much later than the usual does not come: the peer plays on and has stopped telling. */
const GIVEN_UP_MS = 5_000;

/**
 * How far a peer's playing lies behind its time, as its answers to marks tell: a mark comes back when everything sent
 * before it was played. The ways there and back are part of it.
 */
export class PlayoutLag {
  readonly #clock: Clock;
  #framesToMark = FIRST_FRAMES;
  #marks = 0;
  /** The marks that are out, the oldest first, and when they should come: a peer that is far behind has several. */
  readonly #out: { name: string; dueAtMs: number }[] = [];
  #lagMs = 0;
  #hasAnswered = false;
  /** When what was sent so far is over. */
  #endsAtMs = 0;
  /** What was sent since a clear, after which the peer holds back no more than that; until it answers again. */
  #mostMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Milliseconds; 0 until the peer has answered once. It grows while an answer is late: nobody has heard more. It is
   * what it last was once the peer seems to answer no more, for such a peer has hardly stopped to play as well.
   */
  get lagMs(): number {
    return Math.min(Math.max(this.#lagMs, this.#lateMs), this.#mostMs);
  }

  /** How late the oldest answer is that has not come; 0 where none ever came, or none is waited for any longer. */
  get #lateMs(): number {
    const [oldest] = this.#out;
    const lateMs = oldest && this.#hasAnswered ? this.#clock.monotonicMs() - oldest.dueAtMs : 0;
    return lateMs > this.#lagMs + GIVEN_UP_MS ? 0 : lateMs;
  }

  /** So many frames were sent, to be heard `inMs` from now; the name of a mark to be sent after them, or null. */
  nextMark(frames: number, inMs: number): string | null {
    const startsAtMs = this.#clock.monotonicMs() + inMs;
    if (startsAtMs - this.#endsAtMs >= SILENCE_MS)
      this.#framesToMark = Math.min(this.#framesToMark, FIRST_FRAMES);
    this.#endsAtMs = startsAtMs + frames * FRAME_MS;
    this.#mostMs += frames * FRAME_MS;
    this.#framesToMark -= frames;
    if (this.#framesToMark > 0) return null;
    this.#framesToMark += EVERY_FRAMES;
    this.#marks += 1;
    const name = `played-${this.#marks}`;
    // The time of the last frame: that it is over a frame later is part of what the peer is behind.
    this.#out.push({ name, dueAtMs: startsAtMs + (frames - 1) * FRAME_MS });
    if (this.#out.length > MOST_OUT) this.#out.shift();
    return name;
  }

  /** The peer has played everything up to a mark. */
  reached(name: string): void {
    const at = this.#out.findIndex((mark) => mark.name === name);
    if (at < 0) return;
    this.#lagMs = Math.max(0, this.#clock.monotonicMs() - this.#out[at]!.dueAtMs);
    this.#mostMs = Infinity;
    this.#hasAnswered = true;
    // Whatever was sent before it was played too, or lost.
    this.#out.splice(0, at + 1);
  }

  /** What the peer held back is thrown away: it gives its marks back at once, which then say nothing. */
  cleared(): void {
    this.#out.length = 0;
    this.#framesToMark = FIRST_FRAMES;
    this.#mostMs = 0;
  }
}
