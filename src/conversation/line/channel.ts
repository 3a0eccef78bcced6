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
 * Longest stall of the process after which the agent's audio is sent late. After a longer one the missed ticks stay
 * silent, because the caller heard silence then.
 */
const LONGEST_CATCH_UP_MS = 200;

export interface ChannelParts {
  clock: Clock;
  log: Log;
  pacingTimer: Pick<PacingTimer, 'join'>;
  line: Line;
  recorder: TwoTrackRecorder | null;
  /** Fills the agent's frame of a tick; returns false, with the frame untouched, while the agent is silent. */
  speak: Speak;
  /** Takes the caller's frames: exactly one per tick, in order; a late frame comes after its tick. */
  hear(frame: Int16Array): void;
  /** Called at the end of every tick. */
  afterTick(): void;
  /** Called when the last DTMF tone was sent: the agent, which was not asked for frames meanwhile, continues. */
  onPressed(): void;
  /** Called on a fault of the media path, which ends this call only. */
  onFailure(error: unknown): void;
}

/** Both directions of one line on one time line, with their recording. No allocation per frame. */
export class Channel implements Ticking {
  // Fields instead of `#parts`: the parts objects of calls differ in shape, and each frame would pay for the lookup.
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
  /** Samples of the caller that came too far ahead of real time to be buffered. */
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

  /** Present time on the stream; more than a frame ahead of `nowMs` only after a stall of the process. */
  get presentMs(): number {
    return this.nowMs + Math.max(0, this.#sampleClock.behindMs - FRAME_MS);
  }

  /** See {@link AudioQuality}. */
  get quality(): number {
    return this.#quality.score;
  }

  /** Takes sound from the peer, in pieces of any length. */
  receive(samples: Int16Array): void {
    try {
      this.#droppedSamples += this.#sampleClock.hear(samples);
    } catch (error) {
      this.#onFailure(error);
    }
  }

  /**
   * Sends DTMF keys as tones at once, also while the agent or the caller speaks; the agent pauses meanwhile. Resolves
   * true when the tones were sent, false when the line closed before that.
   */
  press(keys: string): Promise<boolean> {
    return this.#keySender.press(keys);
  }

  /** True while DTMF tones are being sent, or the peer still plays them. */
  get isPressing(): boolean {
    return this.#keySender.isPressing(unplayedMs(this.#line));
  }

  /** Stream position that the peer has played, in milliseconds, as far as the peer reports it. */
  get heardMs(): number {
    return this.nowMs - (this.#line.lagMs ?? 0);
  }

  /** Like `heardMs`, but limited: a peer that reports a very long lag is not waited for. */
  get awaitedMs(): number {
    return this.nowMs - unplayedMs(this.#line);
  }

  /** Sends the agent's sound now: the next tick may be 20 ms away. */
  hurry(): void {
    if (this.#sampleClock.isRunning) this.#sendAhead.extend(this.#sampleClock.ticks);
  }

  /**
   * Silences the agent at once: the peer's buffer is cleared, and the cleared sound is taken out of the recording.
   *
   * Returns the stream position, in milliseconds, up to which the caller heard the agent, at least `settledMs`.
   * Infinity if all sent sound will be heard: the peer cannot clear its buffer, or the buffer holds DTMF tones, which
   * are cleared only if the call `isOver`.
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

  /** Stops the ticks. */
  close(): void {
    // Sound sent ahead that was not cleared is heard: the recording keeps it, as the transcript does.
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

  /** The agent's frame of a tick, sent or already sent ahead. */
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

  /** DTMF tones come before speech. */
  #speak(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (this.#isPast) return false;
    const inMs = (tick + 1 - this.#sampleClock.ticks) * FRAME_MS;
    return this.#keySender.fill(frame, inMs) || this.#speakTo(frame, tick, isDue);
  }

  /** The echo of our own DTMF tones is not the caller's speech. */
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
