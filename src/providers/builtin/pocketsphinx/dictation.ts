import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Transcript } from '#speech/stt.js';
import type { DictationPool } from '#providers/builtin/threads/dictation-pool.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { RecognitionStream, type RecognitionStreamOptions } from './recognition-stream.js';

/** A thread that becomes free this far into an utterance still catches up with it. */
const CATCH_UP_MS = 1_000;
/** The words must be there so soon after the end; the caller waits for an answer. */
const LONGEST_WAIT_MS = 1_000;

export interface DictationParts {
  workers: DictationPool;
  clock: Clock;
  options: RecognitionStreamOptions;
}

/** One utterance taken down word by word, if a thread for it is free soon enough. */
export class Dictation {
  readonly #parts: DictationParts;
  readonly #catchUpSamples: number;
  #worker: SpeechWorker | null = null;
  #stream: RecognitionStream | null = null;
  /** Sound that waits for a thread; null when it is not waited for any more. */
  #waiting: Int16Array[] | null = [];
  #samples = 0;

  constructor(parts: DictationParts) {
    this.#parts = parts;
    this.#catchUpSamples = (parts.options.sampleRateHz * CATCH_UP_MS) / 1000;
  }

  push(samples: Int16Array): void {
    if (this.#stream) this.#stream.push(samples);
    else if (this.#waiting) {
      this.#waiting.push(samples.slice());
      this.#samples += samples.length;
      this.#begin(this.#waiting);
    }
  }

  /** The words; null when nobody took them down, or not in time. */
  finish(): Promise<Transcript | null> {
    const stream = this.#stream;
    this.#waiting = null;
    if (!stream) return Promise.resolve(null);
    const heard = stream.finish().then(
      (words) => (this.#leave(false), words),
      () => (this.#leave(true), null),
    );
    return withTimeout(heard, { clock: this.#parts.clock, limitMs: LONGEST_WAIT_MS, onTimeout: () => null });
  }

  /** It was no speech, or nobody wants to know any more. */
  drop(): void {
    this.#waiting = null;
    this.#stream?.discard();
    this.#leave(false);
  }

  #begin(waiting: readonly Int16Array[]): void {
    this.#worker = this.#parts.workers.take();
    if (this.#worker) {
      this.#stream = new RecognitionStream(this.#worker, this.#parts.options);
      for (const samples of waiting) this.#stream.push(samples);
    }
    if (this.#worker || this.#samples > this.#catchUpSamples) this.#waiting = null;
  }

  #leave(isBroken: boolean): void {
    this.#stream?.close();
    if (this.#worker) this.#parts.workers.giveBack(this.#worker, isBroken);
    this.#stream = null;
    this.#worker = null;
  }
}
