import type { Clock } from '#kernel/time/clock.js';
import { withTimeout } from '#kernel/time/with-timeout.js';
import type { Transcript } from '#speech/stt.js';
import type { DictationPool } from '#providers/builtin/threads/dictation-pool.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { RecognitionStream, type RecognitionStreamOptions } from './recognition-stream.js';

/** A thread that becomes free after this much of the utterance could not catch up before its end. */
const CATCH_UP_MS = 1_000;
/** Timeout for the words after the end of the utterance, because the caller waits. */
const FINISH_TIMEOUT_MS = 1_000;

/** The dependencies of a {@link Dictation}. */
export interface DictationParts {
  workers: DictationPool;
  clock: Clock;
  options: RecognitionStreamOptions;
}

/**
 * The word-by-word transcription of one utterance, if a dictation thread becomes free soon enough. The built-in
 * recogniser (`PocketsphinxSession`) uses it for open questions, next to its grammars of expected answers.
 */
export class Dictation {
  readonly #parts: DictationParts;
  readonly #catchUpSamples: number;
  #worker: SpeechWorker | null = null;
  #stream: RecognitionStream | null = null;
  /** The audio that waits for a thread; null once a thread has it, or it is too late for one. */
  #waiting: Int16Array[] | null = [];
  /** The length of the waiting audio. */
  #waitingSamples = 0;

  constructor(parts: DictationParts) {
    this.#parts = parts;
    this.#catchUpSamples = (parts.options.sampleRateHz * CATCH_UP_MS) / 1000;
  }

  /** Adds audio of the utterance: to the thread, or to the audio that waits for one. */
  push(samples: Int16Array): void {
    if (this.#stream) this.#stream.push(samples);
    else if (this.#waiting) {
      this.#waiting.push(samples.slice());
      this.#waitingSamples += samples.length;
      this.#takeWorker(this.#waiting);
    }
  }

  /** Ends the utterance: resolves with its words, or null if no thread has transcribed them in time. */
  finish(): Promise<Transcript | null> {
    const stream = this.#stream;
    this.#waiting = null;
    if (!stream) return Promise.resolve(null);
    // The thread is given back when it has answered, also after the timeout.
    const words = stream.finish().then(
      (transcript) => (this.#release(false), transcript),
      () => (this.#release(true), null),
    );
    return withTimeout(words, {
      clock: this.#parts.clock,
      limitMs: FINISH_TIMEOUT_MS,
      onTimeout: () => null,
    });
  }

  /** Drops the utterance: it was no speech, or is no longer needed. */
  discard(): void {
    this.#waiting = null;
    this.#stream?.discard();
    this.#release(false);
  }

  /** Takes a thread if one is free, and sends it the waiting audio. */
  #takeWorker(waiting: readonly Int16Array[]): void {
    this.#worker = this.#parts.workers.take();
    if (this.#worker) {
      this.#stream = new RecognitionStream(this.#worker, this.#parts.options);
      for (const samples of waiting) this.#stream.push(samples);
    }
    if (this.#worker || this.#waitingSamples > this.#catchUpSamples) this.#waiting = null;
  }

  /** Closes the session and gives the thread back. @param isBroken true if the thread died */
  #release(isBroken: boolean): void {
    this.#stream?.close();
    if (this.#worker) this.#parts.workers.giveBack(this.#worker, isBroken);
    this.#stream = null;
    this.#worker = null;
  }
}
