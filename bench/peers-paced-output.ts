const RATE_HZ = 8_000;
/** As the service does: sound leaves in pieces of 200 ms. */
const PIECE_MS = 200;
const PIECE_SAMPLES = (PIECE_MS * RATE_HZ) / 1_000;

/** Where sound goes, and who is told what was played; positions are seconds. */
export interface PacedOutputOptions {
  send(samples: Int16Array): void;
  onStarted(): void;
  onFinished(playbackPosition: number, interrupted: boolean): void;
}

/** Sends sound as fast as it is played. A segment begins with its first samples and is over when all were sent. */
export class PacedOutput {
  readonly #options: PacedOutputOptions;
  #waiting: Int16Array[] = [];
  #waitingSamples = 0;
  #sentSamples = 0;
  #startedMs: number | null = null;
  #isEnding = false;
  #timer: NodeJS.Timeout | null = null;

  constructor(options: PacedOutputOptions) {
    this.#options = options;
  }

  add(samples: Int16Array): void {
    this.#waiting.push(samples);
    this.#waitingSamples += samples.length;
    if (this.#startedMs === null) {
      this.#startedMs = performance.now();
      this.#options.onStarted();
      this.#sendAndWait();
    }
  }

  /** Nothing further belongs to this segment. */
  end(): void {
    this.#isEnding = this.#startedMs !== null;
  }

  interrupt(): void {
    if (this.#startedMs !== null) this.#finish(true);
  }

  #sendAndWait(): void {
    if (this.#isEnding && this.#waitingSamples === 0) return this.#finish(false);
    if (this.#waitingSamples >= PIECE_SAMPLES || (this.#isEnding && this.#waitingSamples > 0))
      this.#sendPiece();
    const nextMs = this.#startedMs! + (this.#sentSamples * 1_000) / RATE_HZ - performance.now();
    this.#timer = setTimeout(() => this.#sendAndWait(), Math.max(1, nextMs));
  }

  #sendPiece(): void {
    const piece = new Int16Array(Math.min(PIECE_SAMPLES, this.#waitingSamples));
    let filled = 0;
    while (filled < piece.length) {
      const first = this.#waiting[0]!;
      const taken = first.subarray(0, piece.length - filled);
      piece.set(taken, filled);
      filled += taken.length;
      if (taken.length === first.length) this.#waiting.shift();
      else this.#waiting[0] = first.subarray(taken.length);
    }
    this.#waitingSamples -= piece.length;
    this.#sentSamples += piece.length;
    this.#options.send(piece);
  }

  #finish(interrupted: boolean): void {
    if (this.#timer) clearTimeout(this.#timer);
    const position = this.#sentSamples / RATE_HZ;
    this.#waiting = [];
    this.#waitingSamples = this.#sentSamples = 0;
    this.#startedMs = this.#timer = null;
    this.#isEnding = false;
    this.#options.onFinished(position, interrupted);
  }
}
