import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { AudioQuality } from './audio-quality.js';
import { BreakOff } from './break-off.js';
import type { Line } from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import { KeySender } from './key-sender.js';
import { SendAhead, type Speak } from './send-ahead.js';
import { SampleClock, type Ticking } from './sample-clock.js';
import { unplayedMs } from './unplayed.js';

/**
 * How far back the agent may still speak: after a pause of our own process that was longer, nothing is sent for the
 * time that has gone by, as the caller heard nothing then.
 */
const LONGEST_CATCH_UP_MS = 200;

export interface ChannelParts {
  clock: Clock;
  log: Log;
  pacingTimer: Pick<PacingTimer, 'join'>;
  line: Line;
  recorder: TwoTrackRecorder | null;
  /** Fills the agent's frame of a tick; false when the agent is silent and the frame untouched. */
  speak: Speak;
  /** The caller's frames: exactly one for each tick, in order; late ones come late. */
  hear(frame: Int16Array): void;
  /** A tick is over. */
  afterTick(): void;
  /** The agent, who was not asked for frames while keys were pressed, is about to be again. */
  onPressed(): void;
  /** A fault on the media path, as any other, ends its call and touches no other. */
  onFailure(error: unknown): void;
}

/** Both directions of one line on one time line, with their recording. Nothing here allocates per frame. */
export class Channel implements Ticking {
  // Not `#parts`: objects that are put together for each call are of many shapes, and every frame would look into them.
  readonly #line: Line;
  readonly #recorder: TwoTrackRecorder | null;
  readonly #speakTo: ChannelParts['speak'];
  readonly #hearFrom: ChannelParts['hear'];
  readonly #afterTick: ChannelParts['afterTick'];
  readonly #onFailure: ChannelParts['onFailure'];
  readonly #log: Log;
  readonly #sampleClock: SampleClock;
  readonly #quality = new AudioQuality();
  readonly #keySender: KeySender;
  readonly #sendAhead: SendAhead;
  readonly #breakOff: BreakOff;
  readonly #frame: Int16Array;
  readonly #silence: Int16Array;
  readonly #leavePacingTimer: () => void;
  /** Of the caller's sound: what came so far ahead of real time that there was no room for it. */
  #droppedSamples = 0;

  constructor(parts: ChannelParts) {
    const samples = frameSamples(parts.line.sampleRateHz);
    ({
      line: this.#line,
      recorder: this.#recorder,
      speak: this.#speakTo,
      hear: this.#hearFrom,
      afterTick: this.#afterTick,
      onFailure: this.#onFailure,
      log: this.#log,
    } = parts);
    this.#frame = new Int16Array(samples);
    this.#silence = new Int16Array(samples);
    this.#keySender = new KeySender(parts.line.sampleRateHz, parts.onPressed);
    this.#sendAhead = new SendAhead(parts.line, (frame, tick, isDue) => this.#speak(frame, tick, isDue));
    this.#breakOff = new BreakOff(parts.line.sampleRateHz);
    this.#sampleClock = new SampleClock({ clock: parts.clock, frameSamples: samples, ticking: this });
    this.#leavePacingTimer = parts.pacingTimer.join(() => this.#beat());
  }

  /** Milliseconds since the first sample of the stream. */
  get nowMs(): number {
    return this.#sampleClock.ticks * FRAME_MS;
  }

  /** The present: more than a frame ahead of that only after a pause of our own process. */
  get presentMs(): number {
    return this.nowMs + Math.max(0, this.#sampleClock.behindMs - FRAME_MS);
  }

  /** See {@link AudioQuality}. */
  get quality(): number {
    return this.#quality.score;
  }

  /** Sound from the peer, in pieces of any length. */
  receive(samples: Int16Array): void {
    try {
      this.#droppedSamples += this.#sampleClock.hear(samples);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /**
   * Presses keys in tones, at once: whoever presses keys does not wait for an end of what is said, on either side. The
   * agent stands still meanwhile. Resolves when they were sent; false when the line was closed before that.
   */
  press(keys: string): Promise<boolean> {
    return this.#keySender.press(keys);
  }

  /** Whether keys are being pressed, or were and are still to be heard. */
  get isPressing(): boolean {
    return this.#keySender.isPressing(unplayedMs(this.#line));
  }

  /** Up to which moment of the stream the peer has played, as far as it tells. */
  get heardMs(): number {
    return this.nowMs - (this.#line.lagMs ?? 0);
  }

  /** The same of a peer that is waited for; which says that it is further behind is not. */
  get awaitedMs(): number {
    return this.nowMs - unplayedMs(this.#line);
  }

  /** The agent has something to say: its sound leaves now and not with the next tick, which may be 20 ms away. */
  hurry(): void {
    if (this.#sampleClock.isRunning) this.#sendAhead.extend(this.#sampleClock.ticks);
  }

  /**
   * The agent falls silent at once: what the peer still holds back is thrown away, and is not in the recording either.
   * Returns up to which moment of the stream the agent was heard, in milliseconds: without end where all that was sent
   * will be, as while there are keys among it, which nobody may throw away unless the call `isOver`. It was heard up to
   * `settledMs` whatever the peer tells.
   */
  clearPlayout({ settledMs = -Infinity, isOver = false } = {}): number {
    const heardMs = Math.max(settledMs, this.heardMs);
    if (isOver) this.#keySender.close();
    if (this.#keySender.isOnTheWay(unplayedMs(this.#line)) || !this.#line.clear()) {
      this.#breakOff.cut();
      return Infinity;
    }
    this.#sendAhead.drop();
    this.#recorder?.retract(this.nowMs - heardMs);
    return heardMs;
  }

  /** No tick follows. */
  close(): void {
    // What was sent ahead, and could not be thrown away, was said: it is in the recording as it is in the transcript.
    for (const frame of this.#sendAhead.rest()) this.#recorder?.write(null, frame);
    this.#leavePacingTimer();
    this.#sampleClock.stop();
    this.#keySender.close();
    if (this.#droppedSamples === 0) return;
    const droppedMs = Math.round((FRAME_MS * this.#droppedSamples) / this.#frame.length);
    this.#log.warn({ dropped_ms: droppedMs }, 'a caller sent sound faster than real time');
  }

  tick(tick: number, sound: Int16Array | null): void {
    this.#keySender.rest();
    const frame = this.#send(tick);
    this.#recorder?.write(sound, frame);
    this.#sendAhead.extend(tick + 1);
    this.#quality.judge(sound);
    if (sound) this.#hear(sound);
    this.#afterTick();
  }

  insertLate(tick: number, sound: Int16Array): void {
    this.#recorder?.insertLate(tick * this.#frame.length, sound);
    this.#hear(sound);
  }

  stalled(forMs: number): void {
    this.#recorder?.stalled(forMs);
    this.#log.warn({ stood_still_ms: Math.round(forMs) }, 'the process stood still during a call');
  }

  lose(): void {
    this.#hearFrom(this.#silence);
  }

  /** The agent's frame of a tick. */
  #send(tick: number): Int16Array {
    const line = this.#line;
    if (this.#sendAhead.take(this.#frame, tick)) {
      this.#breakOff.follow(this.#frame);
      return this.#frame;
    }
    if (line.playoutBuffer || this.#isPast) return this.#silence;
    const frame = this.#breakOff.fill(this.#frame) ? this.#frame : this.#silence;
    line.send(frame, 0);
    return frame;
  }

  get #isPast(): boolean {
    return this.#sampleClock.behindMs > LONGEST_CATCH_UP_MS;
  }

  /** Keys come first. */
  #speak(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (this.#isPast) return false;
    const inMs = (tick + 1 - this.#sampleClock.ticks) * FRAME_MS;
    return this.#keySender.fill(frame, inMs) || this.#speakTo(frame, tick, isDue);
  }

  /** Keys that we have pressed are nothing that the caller says. */
  #hear(sound: Int16Array): void {
    const isOurs = this.#keySender.isEcho(sound, unplayedMs(this.#line));
    this.#hearFrom(isOurs ? this.#silence : sound);
  }

  #beat(): void {
    try {
      this.#sampleClock.turn();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}
