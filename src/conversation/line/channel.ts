import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, frameSamples } from '#media/samples/audio.js';
import type { PacingTimer } from '#media/pacing/pacing-timer.js';
import { AudioQuality } from './audio-quality.js';
import { FadeOut } from './fade-out.js';
import type { Line } from '#conversation/talk/conversation.js';
import type { TwoTrackRecorder } from '#conversation/talk/conversation-parts.js';
import { DtmfSender } from './dtmf-sender.js';
import { SendAhead, type FillAgentFrame } from './send-ahead.js';
import { SampleClock, type TickHandler } from './sample-clock.js';

/**
 * Longest stall of the process after which the agent's audio is sent late. After a longer one the missed ticks stay
 * silent, because the caller heard silence then.
 */
const LONGEST_CATCH_UP_MS = 200;
/** Limit of the playout lag: a peer that reports more is not waited for. */
const LONGEST_LAG_MS = 3_000;

/** The dependencies of a {@link Channel}. */
export interface ChannelParts {
  clock: Clock;
  log: Log;
  pacingTimer: Pick<PacingTimer, 'join'>;
  line: Line;
  recorder: TwoTrackRecorder | null;
  /** Fills the agent's frame of a tick; returns false, with the frame untouched, while the agent is silent. */
  speak: FillAgentFrame;
  /** Takes the caller's frames: exactly one per tick, in order; a late frame comes after its tick. */
  hear(frame: Int16Array): void;
  /** Called at the end of every tick. */
  afterTick(): void;
  /** Called when the last DTMF tone was sent: the agent, which was not asked for frames meanwhile, continues. */
  onKeysSent(): void;
  /** Called on a fault of the media path, which ends this call only. */
  onFailure(error: unknown): void;
}

/**
 * The media path of one conversation: both directions of the line, in ticks of 20 ms on one time line. At each tick it
 * sends the agent's frame, records both sides and passes the caller's frame on. DTMF keys to send take the agent's
 * place. Runs for every frame of every call, so it allocates nothing per frame. Made by `LiveConversation` and
 * `RealtimeConversation`.
 */
export class Channel implements TickHandler {
  // Fields instead of `#parts`: those objects differ in shape from call to call, so each lookup would be slow.
  readonly #line: Line;
  readonly #recorder: TwoTrackRecorder | null;
  readonly #fillAgentFrame: ChannelParts['speak'];
  readonly #onCallerFrame: ChannelParts['hear'];
  readonly #afterTick: ChannelParts['afterTick'];
  readonly #onFailure: ChannelParts['onFailure'];
  readonly #log: Log;
  readonly #sampleClock: SampleClock;
  readonly #quality = new AudioQuality();
  readonly #dtmfSender: DtmfSender;
  readonly #sendAhead: SendAhead;
  readonly #fadeOut: FadeOut;
  /** The agent's frame of the present tick, and a frame of silence. */
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
      speak: this.#fillAgentFrame,
      hear: this.#onCallerFrame,
      afterTick: this.#afterTick,
      onFailure: this.#onFailure,
      log: this.#log,
    } = parts);
    this.#frame = new Int16Array(samples);
    this.#silence = new Int16Array(samples);
    this.#dtmfSender = new DtmfSender(parts.line.sampleRateHz, parts.onKeysSent);
    this.#sendAhead = new SendAhead(parts.line, (frame, tick, isDue) => this.#fillFrame(frame, tick, isDue));
    this.#fadeOut = new FadeOut(parts.line.sampleRateHz);
    this.#sampleClock = new SampleClock({ clock: parts.clock, frameSamples: samples, handler: this });
    this.#leavePacingTimer = parts.pacingTimer.join(() => this.#onPacingTimer());
  }

  /** Milliseconds since the first sample of the stream. */
  get nowMs(): number {
    return this.#sampleClock.ticks * FRAME_MS;
  }

  /**
   * Real time as a stream position: ahead of `nowMs` while the caller's audio is late, and after a stall of the
   * process.
   */
  get presentMs(): number {
    return this.nowMs + Math.max(0, this.#sampleClock.behindMs - FRAME_MS);
  }

  /** The quality of the caller's audio so far, 0 to 1; see {@link AudioQuality}. */
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
  sendKeys(keys: string): Promise<boolean> {
    return this.#dtmfSender.send(keys);
  }

  /** True while DTMF keys are being sent, or the peer still plays their tones. */
  get isSendingKeys(): boolean {
    return this.#dtmfSender.isSendingKeys(unplayedMs(this.#line));
  }

  /** Stream position that the peer has played, in milliseconds, as far as the peer reports it. */
  get heardMs(): number {
    return this.nowMs - (this.#line.lagMs ?? 0);
  }

  /** Like `heardMs`, but with a limited lag: a peer that reports a very long one is not waited for. */
  get awaitedMs(): number {
    return this.nowMs - unplayedMs(this.#line);
  }

  /** Sends the agent's first sound now, because the next tick may be 20 ms away. */
  sendNow(): void {
    if (this.#sampleClock.isRunning) this.#sendAhead.extend(this.#sampleClock.ticks);
  }

  /**
   * Silences the agent at once: clears the peer's buffer, and takes the cleared sound out of the recording.
   *
   * Returns the stream position, in milliseconds, up to which the caller heard the agent, at least `certainlyHeardMs`.
   * Infinity if all sent sound will be heard: the peer cannot clear its buffer, or the buffer holds DTMF tones, which
   * are cleared only if the call `isOver`.
   */
  clearPlayout({ certainlyHeardMs = -Infinity, isOver = false } = {}): number {
    const heardMs = Math.max(certainlyHeardMs, this.heardMs);
    if (isOver) this.#dtmfSender.close();
    if (this.#dtmfSender.mayStillPlay(unplayedMs(this.#line)) || !this.#line.clear()) {
      this.#fadeOut.cut();
      return Infinity;
    }
    this.#sendAhead.drop();
    this.#recorder?.retract(this.nowMs - heardMs);
    return heardMs;
  }

  /** Stops the ticks. */
  close(): void {
    // Sound sent ahead that was not cleared is heard: the recording keeps it, as the transcript does.
    for (const frame of this.#sendAhead.takeRest()) this.#recorder?.write(null, frame);
    this.#leavePacingTimer();
    this.#sampleClock.stop();
    this.#dtmfSender.close();
    if (this.#droppedSamples === 0) return;
    const droppedMs = Math.round((FRAME_MS * this.#droppedSamples) / this.#frame.length);
    this.#log.warn({ dropped_ms: droppedMs }, 'a caller sent sound faster than real time');
  }

  /**
   * One tick: sends the agent's frame, records both sides, passes the caller's frame on. This method and the next three
   * are the {@link TickHandler} that the sample clock calls.
   */
  tick(tick: number, sound: Int16Array | null): void {
    this.#dtmfSender.tick();
    const frame = this.#send(tick);
    this.#recorder?.write(sound, frame);
    this.#sendAhead.extend(tick + 1);
    this.#quality.countFrame(sound);
    if (sound) this.#passCallerFrame(sound);
    this.#afterTick();
  }

  insertLate(tick: number, sound: Int16Array): void {
    this.#recorder?.insertLate(tick * this.#frame.length, sound);
    this.#passCallerFrame(sound);
  }

  stalled(forMs: number): void {
    this.#recorder?.stalled(forMs);
    this.#log.warn({ stood_still_ms: Math.round(forMs) }, 'the process stood still during a call');
  }

  frameLost(): void {
    this.#onCallerFrame(this.#silence);
  }

  /** The agent's frame of a tick, which is sent now unless it was sent ahead. */
  #send(tick: number): Int16Array {
    const line = this.#line;
    if (this.#sendAhead.take(this.#frame, tick)) {
      this.#fadeOut.played(this.#frame);
      return this.#frame;
    }
    // A peer with a playout buffer needs no silence.
    if (line.playoutBuffer || this.#isTooLate) return this.#silence;
    const frame = this.#fadeOut.fill(this.#frame) ? this.#frame : this.#silence;
    line.send(frame, 0);
    return frame;
  }

  /** True if the tick is so late that the caller has already heard silence. */
  get #isTooLate(): boolean {
    return this.#sampleClock.behindMs > LONGEST_CATCH_UP_MS;
  }

  /** Fills the agent's frame of a tick: DTMF tones come before speech. */
  #fillFrame(frame: Int16Array, tick: number, isDue: boolean): boolean {
    if (this.#isTooLate) return false;
    const inMs = (tick + 1 - this.#sampleClock.ticks) * FRAME_MS;
    return this.#dtmfSender.fill(frame, inMs) || this.#fillAgentFrame(frame, tick, isDue);
  }

  /** Passes a caller's frame on; silence in its place if it is the echo of our own DTMF tones. */
  #passCallerFrame(sound: Int16Array): void {
    const isOwnEcho = this.#dtmfSender.isEcho(sound, unplayedMs(this.#line));
    this.#onCallerFrame(isOwnEcho ? this.#silence : sound);
  }

  #onPacingTimer(): void {
    try {
      this.#sampleClock.catchUp();
    } catch (error) {
      this.#onFailure(error);
    }
  }
}

/** Milliseconds of sent sound that the peer has not played, as far as the peer reports them, up to three seconds. */
function unplayedMs({ lagMs = 0 }: Pick<Line, 'lagMs'>): number {
  return Math.min(lagMs, LONGEST_LAG_MS);
}
