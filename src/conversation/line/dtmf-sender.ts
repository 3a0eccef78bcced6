import { FRAME_MS, frameSamples, type SampleRateHz } from '#media/samples/audio.js';
import { createDtmfDetector, type DtmfDetector, dtmfTone } from '#media/detecting/dtmf.js';

/** An echo of a tone may come back from the line this long after the peer has played the tone. */
const ECHO_MS = 400;

/** One call of {@link DtmfSender.send} in progress. */
interface ToneRequest {
  /** Keys still to be sent. */
  keys: string;
  resolve(isDone: boolean): void;
}

/**
 * Sends DTMF keys as tones in place of the agent's voice, on a line that carries only sound, and recognises the echo of
 * those tones. Requests are served in order. Used by `Channel`.
 */
export class DtmfSender {
  readonly #rateHz: SampleRateHz;
  readonly #detector: DtmfDetector;
  readonly #onDone: () => void;
  readonly #requests: ToneRequest[] = [];
  /** The tone of the key that is being sent, and its samples sent so far; null between two keys. */
  #tone: Int16Array | null = null;
  #sentSamples = 0;
  /** Milliseconds since the tick of the last tone frame; negative while that tick is still ahead. */
  #sinceToneMs = Infinity;
  #isClosed = false;

  /** @param onDone called when no key is left to send, so that the agent may continue */
  constructor(sampleRateHz: SampleRateHz, onDone: () => void) {
    this.#rateHz = sampleRateHz;
    this.#detector = createDtmfDetector(sampleRateHz);
    this.#onDone = onDone;
  }

  /**
   * Sends keys, after those of earlier calls. Resolves true when the last key was sent; false if the line closed before
   * that.
   */
  send(keys: string): Promise<boolean> {
    if (this.#isClosed) return Promise.resolve(false);
    return new Promise((resolve) => this.#requests.push({ keys, resolve }));
  }

  /** True while keys are being sent, or a peer with this playout lag still plays their tones. */
  isSendingKeys(lagMs: number): boolean {
    return this.#hasKeys || this.#sinceToneMs <= lagMs;
  }

  /**
   * True while a peer with this playout lag may still play tones, which must not be cleared, or their echo may come
   * back: {@link ECHO_MS} longer than {@link isSendingKeys}.
   */
  mayStillPlay(lagMs: number): boolean {
    return this.#hasKeys || this.#sinceToneMs < lagMs + ECHO_MS;
  }

  /** True if the sound from the line counts as an echo: it has a DTMF tone while ours may still play. */
  isEcho(sound: Int16Array, lagMs: number): boolean {
    return this.mayStillPlay(lagMs) && this.#detector.digitIn(sound) !== null;
  }

  /** Called every 20 ms. */
  tick(): void {
    if (!this.#hasKeys) this.#sinceToneMs += FRAME_MS;
  }

  /** Fills the agent's next frame, `inMs` ahead of the present tick; false, with `frame` untouched, if no key waits. */
  fill(frame: Int16Array, inMs: number): boolean {
    const request = this.#requests[0];
    if (!request) return false;
    const sound = (this.#tone ??= dtmfTone(request.keys[0]!, this.#rateHz));
    const from = this.#sentSamples;
    const count = frameSamples(this.#rateHz);
    for (let at = 0; at < count; at += 1) frame[at] = sound[from + at]!;
    this.#sentSamples += count;
    if (this.#sentSamples === sound.length) this.#finishKey(request, inMs);
    return true;
  }

  /** Cancels all keys; tones already sent need not arrive. */
  close(): void {
    this.#isClosed = true;
    this.#sinceToneMs = Infinity;
    for (const { resolve } of this.#requests.splice(0)) resolve(false);
  }

  get #hasKeys(): boolean {
    return this.#requests.length > 0;
  }

  /** The tone of one key is complete. */
  #finishKey(request: ToneRequest, inMs: number): void {
    this.#tone = null;
    this.#sentSamples = 0;
    request.keys = request.keys.slice(1);
    if (request.keys !== '') return;
    this.#sinceToneMs = -inMs;
    this.#requests.shift();
    request.resolve(true);
    if (!this.#hasKeys) this.#onDone();
  }
}
