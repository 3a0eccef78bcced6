import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createDtmfDetector, type DtmfDetector, dtmfTone } from '#media/detecting/dtmf.js';

/** An echo of a tone may come back from the line this long after the peer has played the tone. */
const ECHO_MS = 400;

interface Press {
  /** Keys still to be sent. */
  keys: string;
  resolve(isDone: boolean): void;
}

/**
 * Sends DTMF keys as tones in place of the agent's voice, on a line that carries only sound. Requests are served in
 * order.
 */
export class KeySender {
  readonly #rateHz: SampleRateHz;
  readonly #detector: DtmfDetector;
  readonly #onDone: () => void;
  readonly #presses: Press[] = [];
  #sound: Int16Array | null = null;
  #playedSamples = 0;
  /** Milliseconds since the last tone frame's tick; negative while that tick is still ahead. */
  #restedMs = Infinity;
  #isClosed = false;

  /** @param onDone called when no key is left to send: the agent may continue */
  constructor(sampleRateHz: SampleRateHz, onDone: () => void) {
    this.#rateHz = sampleRateHz;
    this.#detector = createDtmfDetector(sampleRateHz);
    this.#onDone = onDone;
  }

  /** Resolves true when the last key was sent, at the pace of the line; false if the line closed before that. */
  press(keys: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => this.#presses.push({ keys, resolve }));
  }

  /** True while tones are being sent, or a peer with this playout lag still plays them. */
  isPressing(lagMs: number): boolean {
    return this.#hasKeys || this.#restedMs <= lagMs;
  }

  /** True while a peer with this playout lag may still have tones to play, which must not be cleared. */
  isOnTheWay(lagMs: number): boolean {
    return this.#hasKeys || this.#restedMs < lagMs + ECHO_MS;
  }

  /** True if the sound from the line is the echo of a sent tone. */
  isEcho(sound: Int16Array, lagMs: number): boolean {
    return this.isOnTheWay(lagMs) && this.#detector.digitIn(sound) !== null;
  }

  /** Called every tick. */
  rest(): void {
    if (!this.#hasKeys) this.#restedMs += FRAME_MS;
  }

  /** Fills the agent's next frame, `inMs` ahead of the present tick; false, with `frame` untouched, if no key waits. */
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

  /** Cancels all keys; tones already sent need not arrive. */
  close(): void {
    this.#isClosed = true;
    this.#restedMs = Infinity;
    for (const { resolve } of this.#presses.splice(0)) resolve(false);
  }

  get #hasKeys(): boolean {
    return this.#presses.length > 0;
  }

  /** The tone of one key is complete. */
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
