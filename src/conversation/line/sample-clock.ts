import type { Clock } from '#kernel/time/clock.js';
import { FRAME_MS } from '#media/samples/audio.js';
import { FrameQueue } from './frame-queue.js';

/**
 * Receives the ticks of a {@link SampleClock}; `Channel` implements it. The array `sound` is used again once a method
 * has returned, so it must be copied to be kept.
 */
export interface TickHandler {
  /** One tick: one frame goes out. `sound` is the caller's frame of this tick, null if it has not arrived. */
  tick(tick: number, sound: Int16Array | null): void;
  /** The caller's frame of an earlier tick arrived late. */
  insertLate(tick: number, sound: Int16Array): void;
  /** The process stalled for `forMs`; the ticks of that time follow. */
  stalled(forMs: number): void;
  /** The caller's frame of an earlier tick is lost. */
  frameLost(tick: number): void;
}

/** How late the caller's audio may be before the pacing timer makes the ticks. */
const LATE_MS = 60;
/** How late a frame can still fill its gap, in ticks: 400 ms. */
const FILLABLE_TICKS = 20;
/** How far a burst may run ahead of real time; the rest waits, so that audio never plays at double speed. */
const LONGEST_LEAD_MS = 200;
/** Frames without a louder sample than this (−41 dBFS) may be skipped to catch up. */
const QUIET_PEAK = 300;
/** Frames closer together than this form a burst. */
const BURST_GAP_MS = 10;
/** Correction per frame towards the carrier's clock: half a percent, well above the drift between two clocks. */
const FOLLOW_MS = 0.1;
/** Window for judging lateness, and the fewest frames in it: if all of them are late, earlier frames were lost. */
const JUDGED_MS = 1_000;
const JUDGED_FRAMES = 25;
/** A frame belongs to a tick less than this away. */
const HALF_FRAME_MS = FRAME_MS / 2;
/** A longer stall of the process is reported: what the caller said during it is lost. */
const NOTICEABLE_STALL_MS = 1_000;
/** Limit per call of `catchUp`, so that after a long stall other calls are served too. */
const MOST_TICKS_AT_ONCE = 50;

/**
 * The time of one call, in ticks of 20 ms. A tick is one frame each way, so both channels stay on one time line. The
 * clock keeps up with real time even if the peer or this machine is late: audio that was not sent becomes silence. Used
 * by `Channel`.
 *
 * - A frame of the caller that is in time makes a tick: the carrier's clock sets the pace.
 * - When the caller's audio is more than 60 ms late, the pacing timer makes the tick, with a gap in place of the
 *   caller's frame.
 * - After a gap, frames arriving in a burst are late frames: they fill the gaps in order and make no tick. Frames at
 *   normal pace, or more than 400 ms late, mean the gap was loss: it stays silent. The first frame after a gap is
 *   ambiguous, so it is held until the next frame arrives or its time has passed.
 * - A smaller loss leaves all later frames late: after a second of late frames the gap is closed with silence.
 * - A burst without gaps to fill may run 200 ms ahead; its other frames wait and are taken at the pacing timer's pace.
 *   While sound waits, every second silent frame is skipped, so that the call is soon live again.
 * - Frames that waited during a stall of the process make up for the stall at once.
 */
export class SampleClock {
  readonly #clock: Clock;
  readonly #handler: TickHandler;
  readonly #queue: FrameQueue;
  /** The frame that was taken from the queue last. */
  readonly #frame: Int16Array;
  /** The first frame after a gap, while it is held. */
  readonly #heldFrame: Int16Array;
  /** When the held frame arrived (monotonic); null if none is held. */
  #heldSinceMs: number | null = null;
  /** Due time of the next tick, on the monotonic clock. */
  #dueMs: number;
  /** When the newest frame arrived (monotonic). */
  #lastSoundMs: number;
  /** When `catchUp` was last called (monotonic). */
  #lastCatchUpMs: number;
  /** Number of ticks made. */
  #ticks = 0;
  /** The gaps: number of newest ticks whose frame of the caller is missing. */
  #gaps = 0;
  /** Frames in the present window for judging lateness. */
  #judgedFrames = 0;
  /** Start of that window (monotonic). */
  #judgedSinceMs = 0;
  /** The smallest and the largest lateness of its frames; negative for early frames. */
  #leastLateMs = Infinity;
  #mostLateMs = -Infinity;
  /** Known lead of the time line over real time: that many silent frames are skipped. */
  #aheadFrames = 0;
  /** True while whole frames wait in the queue. */
  #isBehind = false;
  /** True if the last frame was skipped: of silent frames only every second one is. */
  #hasSkipped = false;
  /** True while frames are taken: a call of `hear` from within then only queues its sound. */
  #draining = false;
  #stopped = false;

  constructor(parts: { clock: Clock; frameSamples: number; handler: TickHandler }) {
    this.#clock = parts.clock;
    this.#handler = parts.handler;
    this.#queue = new FrameQueue(parts.frameSamples, FRAME_MS);
    this.#frame = new Int16Array(parts.frameSamples);
    this.#heldFrame = new Int16Array(parts.frameSamples);
    this.#dueMs = this.#lastSoundMs = this.#lastCatchUpMs = parts.clock.monotonicMs();
  }

  /** Ticks made so far, which is the number of the next tick. */
  get ticks(): number {
    return this.#ticks;
  }

  /** Milliseconds by which the next tick is overdue; negative before it is due. */
  get behindMs(): number {
    return this.#clock.monotonicMs() - this.#dueMs;
  }

  /** True between the first tick and the last. */
  get isRunning(): boolean {
    return this.#ticks > 0 && !this.#stopped;
  }

  /** Takes sound from the peer, in pieces of any length. Returns the number of samples dropped for lack of room. */
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

  /**
   * Takes frames that waited in the queue, places the held frame if no other followed it closely, and makes the ticks
   * that are more than {@link LATE_MS} overdue, at most {@link MOST_TICKS_AT_ONCE}. Called every 20 ms by the pacing
   * timer.
   */
  catchUp(): void {
    if (this.#isBehind) this.#drain();
    const nowMs = this.#clock.monotonicMs();
    // No frame followed closely: the held frame was not part of a burst.
    if (this.#heldSinceMs !== null && nowMs - this.#heldSinceMs >= BURST_GAP_MS) this.#placeHeld(false);
    // After a stall the peer's frames have arrived, but are read only after this call. So only the time up to 20 ms
    // after the last call may get gaps now; the rest is caught up at the next call.
    const readUpToMs = Math.min(nowMs, this.#lastCatchUpMs + FRAME_MS);
    const isAfterStall = this.isRunning && nowMs - this.#lastCatchUpMs > NOTICEABLE_STALL_MS;
    if (isAfterStall) this.#handler.stalled(Math.max(0, nowMs - this.#dueMs));
    this.#lastCatchUpMs = nowMs;
    for (let ticks = 0; ticks < MOST_TICKS_AT_ONCE && !this.#stopped; ticks += 1) {
      if (readUpToMs - this.#dueMs <= LATE_MS) return;
      this.#tickWithGap();
    }
  }

  /** Stops the clock: no tick follows. */
  stop(): void {
    this.#stopped = true;
  }

  /** True for a whole frame with nothing queued before it: the usual case, which needs no copy. */
  #isNext(piece: Int16Array): boolean {
    return piece.length === this.#frame.length && this.#queue.isEmpty && !this.#draining && this.#mayTake();
  }

  /** Takes all frames that are allowed now: `next`, which precedes the queue, and the queue. */
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

  /** True unless the time line would run too far ahead of real time. */
  #mayTake(): boolean {
    return this.#gaps > 0 || -this.behindMs <= LONGEST_LEAD_MS;
  }

  /** Skips or places one frame. */
  #take(frame: Int16Array): void {
    if (!this.#skipToCatchUp(frame)) this.#place(frame);
  }

  /** True if the frame is skipped, to catch up with real time. */
  #skipToCatchUp(frame: Int16Array): boolean {
    const isLate = this.#isBehind || this.#aheadFrames > 0;
    this.#hasSkipped = isLate && !this.#hasSkipped && isQuiet(frame);
    if (this.#hasSkipped) this.#aheadFrames = Math.max(0, this.#aheadFrames - 1);
    return this.#hasSkipped;
  }

  /** Puts one frame into the oldest gap, into a tick of its own, or holds it until that is decided. */
  #place(frame: Int16Array): void {
    const nowMs = this.#clock.monotonicMs();
    const sinceLastMs = nowMs - this.#lastSoundMs;
    const isInBurst = sinceLastMs < BURST_GAP_MS;
    this.#lastSoundMs = nowMs;
    if (this.#heldSinceMs !== null) this.#placeHeld(isInBurst);
    // The time line begins with the first frame in time.
    if (this.#ticks === 0) this.#dueMs = nowMs;
    this.#judgeLateness(nowMs);
    if (this.#gaps > 0 && isInBurst) return this.#insertLate(frame);
    if (this.#gaps === 0 || sinceLastMs <= LATE_MS) return this.#tickInTime(frame, nowMs);
    this.#heldFrame.set(frame);
    this.#heldSinceMs = nowMs;
  }

  /** Places the held frame, once it is known whether it began a burst. */
  #placeHeld(isInBurst: boolean): void {
    const arrivedAtMs = this.#heldSinceMs!;
    this.#heldSinceMs = null;
    if (isInBurst && this.#gaps > 0) this.#insertLate(this.#heldFrame);
    else this.#tickInTime(this.#heldFrame, arrivedAtMs);
  }

  /** Fills the oldest gap. */
  #insertLate(frame: Int16Array): void {
    this.#handler.insertLate(this.#ticks - this.#gaps--, frame);
  }

  /** Makes a tick for a frame that was not late. */
  #tickInTime(frame: Int16Array, arrivedAtMs: number): void {
    // No frame will fill the gaps: they, and the time up to this frame, are silence.
    if (this.#gaps > 0) this.#declareLost(this.#gaps + wholeFrames(arrivedAtMs - this.#dueMs));
    if (this.#stopped) return;
    const lateMs = arrivedAtMs - this.#dueMs;
    // A larger difference comes from loss, jitter or fragments, and says nothing of the carrier's clock.
    const isNear = Math.abs(lateMs) <= HALF_FRAME_MS;
    this.#dueMs += FRAME_MS + (isNear ? Math.max(-FOLLOW_MS, Math.min(FOLLOW_MS, lateMs)) : 0);
    this.#handler.tick(this.#ticks++, frame);
  }

  /**
   * If all frames of a second were late, frames before them were lost: silence of that length is inserted. If all were
   * early, a frame counted as lost arrived after all: that much silence is skipped.
   */
  #judgeLateness(nowMs: number): void {
    if (nowMs - this.#judgedSinceMs >= JUDGED_MS && this.#judgedFrames >= JUDGED_FRAMES) {
      this.#aheadFrames = Math.max(0, wholeFrames(-this.#mostLateMs));
      this.#declareLost(wholeFrames(this.#leastLateMs));
      this.#judgedFrames = 0;
      this.#judgedSinceMs = nowMs;
      [this.#leastLateMs, this.#mostLateMs] = [Infinity, -Infinity];
    }
    const lateMs = nowMs - this.#dueMs + this.#gaps * FRAME_MS;
    this.#leastLateMs = Math.min(this.#leastLateMs, lateMs);
    this.#mostLateMs = Math.max(this.#mostLateMs, lateMs);
    this.#judgedFrames += 1;
  }

  /** Counts this many frames as lost: first the oldest gaps, then new ticks. */
  #declareLost(frames: number): void {
    for (let lost = 0; lost < frames && !this.#stopped; lost += 1) {
      if (this.#gaps === 0) this.#tickWithGap();
      this.#loseOldestGap();
    }
  }

  /** Makes a tick without the caller's frame. */
  #tickWithGap(): void {
    this.#dueMs += FRAME_MS;
    this.#gaps += 1;
    this.#handler.tick(this.#ticks++, null);
    if (this.#gaps > FILLABLE_TICKS) this.#loseOldestGap();
  }

  #loseOldestGap(): void {
    this.#handler.frameLost(this.#ticks - this.#gaps--);
  }
}

/** A time in frames, rounded to the nearest whole number, a half down: 30 ms is one frame, 31 ms are two. */
function wholeFrames(forMs: number): number {
  return Math.ceil(forMs / FRAME_MS - 0.5);
}

function isQuiet(frame: Int16Array): boolean {
  for (let index = 0; index < frame.length; index += 1) {
    if (frame[index]! > QUIET_PEAK || frame[index]! < -QUIET_PEAK) return false;
  }
  return true;
}
