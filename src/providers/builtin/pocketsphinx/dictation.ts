import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Transcript } from '#speech/stt.js';
import type { DictationPool } from '#providers/builtin/threads/dictation-pool.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { RecognitionStream, type RecognitionStreamOptions } from './recognition-stream.js';

/** Up to this point of an utterance, a thread that becomes free can still catch up. */
const CATCH_UP_MS = 1_000;
/** Timeout for the words after the end of the utterance, because the caller waits. */
const LONGEST_WAIT_MS = 1_000;

export interface DictationParts {
  workers: DictationPool;
  clock: Clock;
  options: RecognitionStreamOptions;
}

/** The transcription of one utterance, if a thread becomes free soon enough. */
export class Dictation {
  readonly #parts: DictationParts;
  readonly #catchUpSamples: number;
  #worker: SpeechWorker | null = null;
  #stream: RecognitionStream | null = null;
  /** Audio that waits for a thread; null once it no longer waits. */
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

  /** The words; null if no thread transcribed them in time. */
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

  /** The utterance was no speech, or is no longer needed. */
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
