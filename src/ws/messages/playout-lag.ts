import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** Frames between marks: once per second of audio costs next to nothing. */
const EVERY_FRAMES = 50;
/** Frames before the first mark, and before the first after a clear or a silence, for early interruptions. */
const FIRST_FRAMES = 5;
/** After a silence this long the peer may have caught up. */
const SILENCE_MS = 200;
/** Far more than any peer delays; older marks are dropped. */
const MOST_OUT = 32;
/** A mark this much later than usual is lost: the peer plays on and has stopped answering. */
const GIVEN_UP_MS = 5_000;

/**
 * Delay of a peer's playout, measured by marks: a mark is acknowledged when everything sent before it has been played.
 * Includes the network delay both ways.
 */
export class PlayoutLag {
  readonly #clock: Clock;
  #framesToMark = FIRST_FRAMES;
  #marks = 0;
  /** Pending marks, oldest first, with the time of their expected acknowledgement; a slow peer has several. */
  readonly #out: { name: string; dueAtMs: number }[] = [];
  #lagMs = 0;
  #hasAnswered = false;
  /** When the audio sent so far ends. */
  #endsAtMs = 0;
  /**
   * Upper limit after a clear: the peer cannot be behind by more than was sent since. Until the next acknowledgement.
   */
  #mostMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * Milliseconds; 0 before the first acknowledgement. Grows while an acknowledgement is late. Once the peer seems to
   * have stopped acknowledging, the last value holds, since it probably still plays.
   */
  get lagMs(): number {
    return Math.min(Math.max(this.#lagMs, this.#lateMs), this.#mostMs);
  }

  /** Delay of the oldest pending acknowledgement; 0 if there never was one, or if it is given up. */
  get #lateMs(): number {
    const [oldest] = this.#out;
    const lateMs = oldest && this.#hasAnswered ? this.#clock.monotonicMs() - oldest.dueAtMs : 0;
    return lateMs > this.#lagMs + GIVEN_UP_MS ? 0 : lateMs;
  }

  /**
   * Records that frames were sent, to be played `inMs` from now; returns the name of a mark to send after them, or
   * null.
   */
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
    // Start of the last frame: its own length counts as part of the lag.
    this.#out.push({ name, dueAtMs: startsAtMs + (frames - 1) * FRAME_MS });
    if (this.#out.length > MOST_OUT) this.#out.shift();
    return name;
  }

  /** The peer has played everything before a mark. */
  reached(name: string): void {
    const at = this.#out.findIndex((mark) => mark.name === name);
    if (at < 0) return;
    this.#lagMs = Math.max(0, this.#clock.monotonicMs() - this.#out[at]!.dueAtMs);
    this.#mostMs = Infinity;
    this.#hasAnswered = true;
    // Earlier marks were acknowledged too, or lost.
    this.#out.splice(0, at + 1);
  }

  /** The peer's buffer was cleared: pending marks are acknowledged at once and mean nothing. */
  cleared(): void {
    this.#out.length = 0;
    this.#framesToMark = FIRST_FRAMES;
    this.#mostMs = 0;
  }
}
