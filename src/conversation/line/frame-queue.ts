/** Longest queue. Sound beyond it, of a peer that sends faster than real time, is dropped. */
const LONGEST_QUEUE_MS = 10_000;
/** Room for frames at the start; the queue grows when it is full. */
const INITIAL_FRAMES = 10;

/**
 * A first-in-first-out queue of samples: takes pieces of any length, and gives out frames of one length. It allocates
 * only when it grows, so not while the peer keeps real time. Used by `SampleClock` for the caller's audio, and by
 * `SendAhead`, `RelayedSound` and `Operator`.
 */
export class FrameQueue {
  readonly #frameSamples: number;
  readonly #longestSamples: number;
  /** The queued samples are those from `#start` up to `#end`. */
  #samples: Int16Array;
  #start = 0;
  #end = 0;

  constructor(frameSamples: number, frameMs: number) {
    this.#frameSamples = frameSamples;
    this.#longestSamples = (LONGEST_QUEUE_MS / frameMs) * frameSamples;
    this.#samples = new Int16Array(INITIAL_FRAMES * frameSamples);
  }

  /** Copies the front of a piece, as far as the queue has room; returns the number of dropped samples. */
  push(piece: Int16Array): number {
    const waiting = this.#end - this.#start;
    const dropped = Math.max(0, waiting + piece.length - this.#longestSamples);
    const kept = dropped === 0 ? piece : piece.subarray(0, piece.length - dropped);
    if (this.#end + kept.length > this.#samples.length) this.#makeRoom(waiting + kept.length);
    this.#samples.set(kept, this.#end);
    this.#end += kept.length;
    return dropped;
  }

  /** Whole frames in the queue. */
  get frames(): number {
    return Math.floor((this.#end - this.#start) / this.#frameSamples);
  }

  /** True if the queue holds no sample at all. */
  get isEmpty(): boolean {
    return this.#start === this.#end;
  }

  /** True if the queue holds at least one whole frame. */
  get hasFrame(): boolean {
    return this.#end - this.#start >= this.#frameSamples;
  }

  /** Discards the whole queue. */
  clear(): void {
    this.#start = this.#end = 0;
  }

  /** Copies the oldest frame into `frame`; false if the queue holds no whole frame. */
  take(frame: Int16Array): boolean {
    if (!this.hasFrame) return false;
    const samples = this.#samples;
    const start = this.#start;
    const count = this.#frameSamples;
    // A loop instead of `set(subarray())`: a view per frame is garbage per frame.
    for (let index = 0; index < count; index += 1) frame[index] = samples[start + index]!;
    this.#start += count;
    if (this.#start === this.#end) this.#start = this.#end = 0;
    return true;
  }

  /** Moves the queued samples to the front, of a larger array if they need one. */
  #makeRoom(length: number): void {
    if (length <= this.#samples.length) {
      this.#samples.copyWithin(0, this.#start, this.#end);
    } else {
      const larger = new Int16Array(Math.min(this.#longestSamples, 2 * length));
      larger.set(this.#samples.subarray(this.#start, this.#end));
      this.#samples = larger;
    }
    this.#end -= this.#start;
    this.#start = 0;
  }
}
