import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';

/** Frames between marks: one mark per second of audio costs next to nothing. */
const FRAMES_BETWEEN_MARKS = 50;
/** Frames before the first mark, at the start and after a clear or a silence: an early interruption needs the lag. */
const FRAMES_BEFORE_FIRST_MARK = 5;
/** After a silence this long the peer may have caught up: the lag is measured again soon. */
const SILENCE_MS = 200;
/** The most pending marks, far more than a working peer leaves; older marks are dropped. */
const MOST_PENDING_MARKS = 32;
/** A mark that is later than usual by this much is lost: the peer plays on, and has stopped acknowledging. */
const LOST_AFTER_MS = 5_000;

/**
 * Measures a peer's playout lag by marks: the peer acknowledges a mark when everything sent before it has been played.
 * The lag includes the network delay both ways. Used by `SocketLine`.
 */
export class PlayoutLag {
  readonly #clock: Clock;
  /** Frames to be sent before the next mark. */
  #framesToMark = FRAMES_BEFORE_FIRST_MARK;
  #markCount = 0;
  /** Pending marks, oldest first, with the time of their expected acknowledgement; a slow peer has several. */
  readonly #pendingMarks: { name: string; dueAtMs: number }[] = [];
  /** The lag at the newest acknowledgement. */
  #lagMs = 0;
  /** True once the peer has acknowledged a mark. */
  #hasAnswered = false;
  /** When the audio sent so far ends, without any lag (monotonic). */
  #endsAtMs = 0;
  /**
   * Upper limit of the lag. After a clear, until the next acknowledgement, it is the length of the audio sent since;
   * otherwise there is none.
   */
  #limitMs = Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /**
   * The playout lag in milliseconds; 0 before the first acknowledgement. It grows while an acknowledgement is late. If
   * the peer seems to have stopped acknowledging, the last value holds: the peer probably still plays.
   */
  get lagMs(): number {
    return Math.min(Math.max(this.#lagMs, this.#lateMs), this.#limitMs);
  }

  /** Delay of the oldest pending acknowledgement; 0 if none is pending, none ever came, or this one counts as lost. */
  get #lateMs(): number {
    const [oldest] = this.#pendingMarks;
    const lateMs = oldest && this.#hasAnswered ? this.#clock.monotonicMs() - oldest.dueAtMs : 0;
    return lateMs > this.#lagMs + LOST_AFTER_MS ? 0 : lateMs;
  }

  /**
   * Records that frames were sent, to be played `inMs` from now; returns the name of a mark to send after them, or
   * null.
   */
  nextMark(frames: number, inMs: number): string | null {
    const startsAtMs = this.#clock.monotonicMs() + inMs;
    if (startsAtMs - this.#endsAtMs >= SILENCE_MS)
      this.#framesToMark = Math.min(this.#framesToMark, FRAMES_BEFORE_FIRST_MARK);
    this.#endsAtMs = startsAtMs + frames * FRAME_MS;
    this.#limitMs += frames * FRAME_MS;
    this.#framesToMark -= frames;
    if (this.#framesToMark > 0) return null;
    this.#framesToMark += FRAMES_BETWEEN_MARKS;
    this.#markCount += 1;
    const name = `played-${this.#markCount}`;
    // The start of the last frame, not its end: the length of that frame counts as part of the lag.
    this.#pendingMarks.push({ name, dueAtMs: startsAtMs + (frames - 1) * FRAME_MS });
    if (this.#pendingMarks.length > MOST_PENDING_MARKS) this.#pendingMarks.shift();
    return name;
  }

  /** The peer has played everything before a mark. */
  reached(name: string): void {
    const index = this.#pendingMarks.findIndex((mark) => mark.name === name);
    if (index < 0) return;
    this.#lagMs = Math.max(0, this.#clock.monotonicMs() - this.#pendingMarks[index]!.dueAtMs);
    this.#limitMs = Infinity;
    this.#hasAnswered = true;
    // Earlier marks were acknowledged too, or lost.
    this.#pendingMarks.splice(0, index + 1);
  }

  /** The peer's buffer was cleared: pending marks are acknowledged at once and mean nothing. */
  cleared(): void {
    this.#pendingMarks.length = 0;
    this.#framesToMark = FRAMES_BEFORE_FIRST_MARK;
    this.#limitMs = 0;
  }
}
