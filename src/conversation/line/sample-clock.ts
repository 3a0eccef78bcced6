import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';
import { FrameQueue } from './frame-queue.js';

/** What a {@link SampleClock} drives. `sound` is only valid during the call. */
export interface Ticking {
  /** One tick: one frame goes out. `sound` is the caller's frame of this tick, null when it has not come so far. */
  tick(tick: number, sound: Int16Array | null): void;
  /** The sound of an earlier tick came after all. */
  insertLate(tick: number, sound: Int16Array): void;
  /** Our own process stood still for so long; the ticks of that time follow. */
  stalled(forMs: number): void;
  /** The sound of an earlier tick will not come any more. */
  lose(tick: number): void;
}

/** How far inbound may fall behind before our own pacing timer makes the ticks. */
const LATE_AFTER_MS = 60;
/** The longest time that late sound can still be put in its place, in ticks: 400 ms. */
const MENDABLE_TICKS = 20;
/** How far a burst may run ahead of real time; the rest of it waits, so that our audio never plays at double speed. */
const LONGEST_LEAD_MS = 200;
/** What is softer than this (−41 dBFS) may be skipped to catch up. */
const QUIET_PEAK = 300;
/** Frames that follow each other faster than this come in a burst. */
const BURST_GAP_MS = 10;
/** How fast the time line follows the carrier's clock: half a percent, well above what two quartzes differ. */
const FOLLOW_MS = 0.1;
/** Of the frames that come within this time, when they are this many, all are late when some before them were lost. */
const JUDGED_MS = 1_000;
const JUDGED_FRAMES = 25;
/** A frame belongs to the tick that it is less than this away from. */
const HALF_FRAME_MS = FRAME_MS / 2;
/** A pause of our own process that is longer is one that callers notice: what they said is lost. */
const LONGEST_PAUSE_MS = 1_000;
/** After a long pause of our own process other calls have their turn, too. */
const MOST_TICKS_A_TURN = 50;

/**
 * The time of one call, in ticks of 20 ms; a tick is one frame each way, so both channels stay on one time line. It
 * keeps up with real time whatever the peer, or a busy machine, does: what was not sent is silence.
 *
 * - Every inbound frame is a tick: the carrier's clock is the clock.
 * - When inbound is more than 60 ms late, the pacing timer makes the tick, with a hole where the caller's sound should
 *   be.
 * - Frames that then come in a burst were late: they fill the holes in order and make no tick. Frames that come at
 *   their ordinary pace, or more than 400 ms late, were preceded by loss: the holes are silence for good. Which of the
 *   two the first one is, is known when the next one comes, or does not: for so long it is held back.
 * - Fewer lost frames than that leave all that follow late: after a second there is silence for them, too.
 * - A burst that no hole waits for may run 200 ms ahead; the rest of it waits and is taken at the pacing timer's pace.
 *   While sound waits, every second silent frame of it is skipped, so that the talk is soon live again.
 * - What comes after a pause of our own process, in which the peer went on, makes up for it at once.
 */
export class SampleClock {
  readonly #clock: Clock;
  readonly #ticking: Ticking;
  readonly #queue: FrameQueue;
  readonly #frame: Int16Array;
  /** The first frame after a gap, and when it came; null when none is held back. */
  readonly #heldFrame: Int16Array;
  #heldSinceMs: number | null = null;
  /** When the next tick is due, on the monotonic clock. */
  #dueMs: number;
  #lastSoundMs: number;
  #lastTurnMs: number;
  #ticks = 0;
  /** How many of the newest ticks still wait for their sound. */
  #holes = 0;
  #judgedFrames = 0;
  #judgedSinceMs = 0;
  #leastLateMs = Infinity;
  #mostLateMs = -Infinity;
  /** Frames that the time line is ahead of real time by, as far as is known. */
  #aheadFrames = 0;
  #isBehind = false;
  #hasSkipped = false;
  #draining = false;
  #stopped = false;

  constructor(parts: { clock: Clock; frameSamples: number; ticking: Ticking }) {
    this.#clock = parts.clock;
    this.#ticking = parts.ticking;
    this.#queue = new FrameQueue(parts.frameSamples, FRAME_MS);
    this.#frame = new Int16Array(parts.frameSamples);
    this.#heldFrame = new Int16Array(parts.frameSamples);
    this.#dueMs = this.#lastSoundMs = this.#lastTurnMs = parts.clock.monotonicMs();
  }

  /** Ticks made so far; the next one has this number. */
  get ticks(): number {
    return this.#ticks;
  }

  /** How long ago the next tick was due; negative when it is not yet. */
  get behindMs(): number {
    return this.#clock.monotonicMs() - this.#dueMs;
  }

  /** Between the first tick and the last. */
  get isRunning(): boolean {
    return this.#ticks > 0 && !this.#stopped;
  }

  /** Sound from the peer, in pieces of any length. Returns how many samples there was no room for. */
  hear(piece: Int16Array): number {
    if (this.#stopped) return 0;
    if (this.#isNext(piece)) {
      this.#drain(piece);
      return 0;
    }
    const dropped = this.#queue.push(piece);
    this.#drain();
    return dropped;
  }

  /** To be called every 20 ms by the pacing timer; once for all when turns were missed. */
  turn(): void {
    if (this.#isBehind) this.#drain();
    const nowMs = this.#clock.monotonicMs();
    // Nothing came right behind it.
    if (this.#heldSinceMs !== null && nowMs - this.#heldSinceMs >= BURST_GAP_MS) this.#placeHeld(false);
    // After a pause of our own process the peer's frames are here already and about to be read, before the next turn.
    const readUpToMs = Math.min(nowMs, this.#lastTurnMs + FRAME_MS);
    const isAfterPause = this.isRunning && nowMs - this.#lastTurnMs > LONGEST_PAUSE_MS;
    if (isAfterPause) this.#ticking.stalled(Math.max(0, nowMs - this.#dueMs));
    this.#lastTurnMs = nowMs;
    for (let made = 0; made < MOST_TICKS_A_TURN && !this.#stopped; made += 1) {
      if (readUpToMs - this.#dueMs <= LATE_AFTER_MS) return;
      this.#tickWithHole();
    }
  }

  /** No tick follows. */
  stop(): void {
    this.#stopped = true;
  }

  /** Whether it is a whole frame that nothing waits before: most are, and need not be copied to wait. */
  #isNext(piece: Int16Array): boolean {
    return piece.length === this.#frame.length && this.#queue.isEmpty && !this.#draining && this.#mayTake();
  }

  /** Takes what may be taken: `next`, which nothing waits before, and what waits. */
  #drain(next: Int16Array | null = null): void {
    // A line that answers at once (a loop-back) calls `hear` from within a tick.
    if (this.#draining) return;
    this.#draining = true;
    if (next) this.#take(next);
    while (!this.#stopped && this.#queue.hasFrame && this.#mayTake()) {
      this.#queue.take(this.#frame);
      this.#take(this.#frame);
    }
    this.#isBehind = this.#queue.hasFrame;
    this.#draining = false;
  }

  #mayTake(): boolean {
    return this.#holes > 0 || -this.behindMs <= LONGEST_LEAD_MS;
  }

  #take(frame: Int16Array): void {
    if (!this.#maySkip(frame)) this.#place(frame);
  }

  #maySkip(frame: Int16Array): boolean {
    const mustCatchUp = this.#isBehind || this.#aheadFrames > 0;
    this.#hasSkipped = mustCatchUp && !this.#hasSkipped && isQuiet(frame);
    if (this.#hasSkipped) this.#aheadFrames = Math.max(0, this.#aheadFrames - 1);
    return this.#hasSkipped;
  }

  /**
   * Puts one frame where it belongs: into the oldest hole, or into a tick of its own; or holds it back until that is
   * known.
   */
  #place(frame: Int16Array): void {
    const nowMs = this.#clock.monotonicMs();
    const gapMs = nowMs - this.#lastSoundMs;
    const isOfBurst = gapMs < BURST_GAP_MS;
    this.#lastSoundMs = nowMs;
    if (this.#heldSinceMs !== null) this.#placeHeld(isOfBurst);
    // The time line begins with the first sound that comes in time.
    if (this.#ticks === 0) this.#dueMs = nowMs;
    this.#judge(nowMs);
    if (this.#holes > 0 && isOfBurst) return this.#insertLate(frame);
    if (this.#holes === 0 || gapMs <= LATE_AFTER_MS) return this.#tickInTime(frame, nowMs);
    this.#heldFrame.set(frame);
    this.#heldSinceMs = nowMs;
  }

  #placeHeld(isOfBurst: boolean): void {
    const cameAtMs = this.#heldSinceMs!;
    this.#heldSinceMs = null;
    if (isOfBurst && this.#holes > 0) this.#insertLate(this.#heldFrame);
    else this.#tickInTime(this.#heldFrame, cameAtMs);
  }

  #insertLate(frame: Int16Array): void {
    this.#ticking.insertLate(this.#ticks - this.#holes--, frame);
  }

  /** A tick for a frame that was not late. */
  #tickInTime(frame: Int16Array, cameAtMs: number): void {
    // Nothing fills them any more, and there is silence up to this frame.
    if (this.#holes > 0) this.#giveUp(this.#holes + wholeFrames(cameAtMs - this.#dueMs));
    if (this.#stopped) return;
    const lateMs = cameAtMs - this.#dueMs;
    // What is further away was lost, was held up, or comes in pieces, which says nothing of the carrier's clock.
    const isNear = Math.abs(lateMs) <= HALF_FRAME_MS;
    this.#dueMs += FRAME_MS + (isNear ? Math.max(-FOLLOW_MS, Math.min(FOLLOW_MS, lateMs)) : 0);
    this.#ticking.tick(this.#ticks++, frame);
  }

  /**
   * When all frames of a second were late, it is because of what was lost before them: that much falls silent. When all
   * were early, something that was held to be lost came after all: that much of silence is skipped.
   */
  #judge(nowMs: number): void {
    if (nowMs - this.#judgedSinceMs >= JUDGED_MS && this.#judgedFrames >= JUDGED_FRAMES) {
      this.#aheadFrames = Math.max(0, wholeFrames(-this.#mostLateMs));
      this.#giveUp(wholeFrames(this.#leastLateMs));
      this.#judgedFrames = 0;
      this.#judgedSinceMs = nowMs;
      [this.#leastLateMs, this.#mostLateMs] = [Infinity, -Infinity];
    }
    const lateMs = nowMs - this.#dueMs + this.#holes * FRAME_MS;
    this.#leastLateMs = Math.min(this.#leastLateMs, lateMs);
    this.#mostLateMs = Math.max(this.#mostLateMs, lateMs);
    this.#judgedFrames += 1;
  }

  /** So many frames will not come any more: the oldest holes, and new ones. */
  #giveUp(frames: number): void {
    for (let lost = 0; lost < frames && !this.#stopped; lost += 1) {
      if (this.#holes === 0) this.#tickWithHole();
      this.#lose();
    }
  }

  #tickWithHole(): void {
    this.#dueMs += FRAME_MS;
    this.#holes += 1;
    this.#ticking.tick(this.#ticks++, null);
    if (this.#holes > MENDABLE_TICKS) this.#lose();
  }

  #lose(): void {
    this.#ticking.lose(this.#ticks - this.#holes--);
  }
}

/** The frames that make up a time; half of one counts for none. */
function wholeFrames(forMs: number): number {
  return Math.ceil(forMs / FRAME_MS - 0.5);
}

function isQuiet(frame: Int16Array): boolean {
  for (let index = 0; index < frame.length; index += 1) {
    if (frame[index]! > QUIET_PEAK || frame[index]! < -QUIET_PEAK) return false;
  }
  return true;
}
