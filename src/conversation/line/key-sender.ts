import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createDtmfDetector, type DtmfDetector, dtmfTone } from '#media/detecting/dtmf.js';

/** Until so long after the peer has played them, tones may still come back, as the echo of a line. */
const ECHO_MS = 400;

interface Press {
  /** Those still to be pressed. */
  keys: string;
  resolve(isDone: boolean): void;
}

/**
 * Presses keys on a line where only sound gets through: as tones, in the place of the agent's voice. What was asked for
 * first is pressed first.
 */
export class KeySender {
  readonly #rateHz: SampleRateHz;
  readonly #detector: DtmfDetector;
  readonly #onDone: () => void;
  readonly #presses: Press[] = [];
  #sound: Int16Array | null = null;
  #playedSamples = 0;
  /** Since the tick of the last of a key; negative while that is still to come. */
  #restedMs = Infinity;
  #isClosed = false;

  /** `onDone` is told when nothing is left to be pressed: the agent may go on. */
  constructor(sampleRateHz: SampleRateHz, onDone: () => void) {
    this.#rateHz = sampleRateHz;
    this.#detector = createDtmfDetector(sampleRateHz);
    this.#onDone = onDone;
  }

  /** Resolves when the last key was sent, at the pace of the line; false when the line was closed before that. */
  press(keys: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => this.#presses.push({ keys, resolve }));
  }

  /** Whether keys are being pressed, or a peer whose playing lies so far behind still plays those that were. */
  isPressing(lagMs: number): boolean {
    return this.#hasKeys || this.#restedMs <= lagMs;
  }

  /** Whether the peer, whose playing lies so far behind, may still have keys to play: they must not be thrown away. */
  isOnTheWay(lagMs: number): boolean {
    return this.#hasKeys || this.#restedMs < lagMs + ECHO_MS;
  }

  /** Whether what comes from the line is but the echo of a key. */
  isEcho(sound: Int16Array, lagMs: number): boolean {
    return this.isOnTheWay(lagMs) && this.#detector.digitIn(sound) !== null;
  }

  /** A tick has gone by. */
  rest(): void {
    if (!this.#hasKeys) this.#restedMs += FRAME_MS;
  }

  /** The agent's next frame, `inMs` ahead of the present tick; false, and it is untouched, when there is no key. */
  fill(frame: Int16Array, inMs: number): boolean {
    const press = this.#presses[0];
    if (!press) return false;
    const sound = (this.#sound ??= dtmfTone(press.keys[0]!, this.#rateHz));
    const from = this.#playedSamples;
    const count = frameSamples(this.#rateHz);
    for (let at = 0; at < count; at += 1) frame[at] = sound[from + at]!;
    this.#playedSamples += count;
    if (this.#playedSamples === sound.length) this.#lift(press, inMs);
    return true;
  }

  /** Nothing is pressed any more, and what was need not arrive. */
  close(): void {
    this.#isClosed = true;
    this.#restedMs = Infinity;
    for (const { resolve } of this.#presses.splice(0)) resolve(false);
  }

  get #hasKeys(): boolean {
    return this.#presses.length > 0;
  }

  /** The finger leaves the key. */
  #lift(press: Press, inMs: number): void {
    this.#sound = null;
    this.#playedSamples = 0;
    press.keys = press.keys.slice(1);
    if (press.keys !== '') return;
    this.#restedMs = -inMs;
    this.#presses.shift();
    press.resolve(true);
    if (!this.#hasKeys) this.#onDone();
  }
}
