import type { Transcript, Stt } from '#speech/stt.js';
import { SpeechError } from '#speech/speech-error.js';
import type { RecognitionTarget } from '#providers/builtin/threads/protocol.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import { NOT_UNDERSTOOD } from '#providers/builtin/pocketsphinx/confidence/confidence.js';

/**
 * Length of the audio chunks sent to the thread: long enough for few messages, short enough to end an utterance soon.
 */
const CHUNK_MS = 60;

/** The options of a {@link RecognitionStream}. */
export type RecognitionStreamOptions = Pick<Parameters<Stt['open']>[0], 'sampleRateHz' | 'onPartial'>;

/**
 * One recognition session on one speech thread: sends audio in chunks, and commands in sequence. When the thread was
 * replaced, the session is opened in the new thread before anything else is sent; an utterance in progress is lost.
 * Used by the built-in recogniser, `Dictation` and `SecondPass`.
 */
export class RecognitionStream {
  readonly #worker: SpeechWorker;
  readonly #options: RecognitionStreamOptions;
  readonly #session: number;
  readonly #chunkSamples: number;
  #expectation: RecognitionTarget | null = null;
  /** The generation of the thread in which the session is open: a worker's first thread has 1, its replacement 2. */
  #generation = -1;
  #chunk: Int16Array<ArrayBuffer>;
  /** How many samples of the chunk are filled. */
  #filled = 0;
  /** The thread generation that received the beginning of the utterance in progress; null between utterances. */
  #utteranceGeneration: number | null = null;
  #closed = false;

  constructor(worker: SpeechWorker, options: RecognitionStreamOptions) {
    this.#worker = worker;
    this.#options = options;
    this.#session = worker.nextNumber();
    this.#chunkSamples = (options.sampleRateHz * CHUNK_MS) / 1000;
    this.#chunk = new Int16Array(this.#chunkSamples);
    worker.onPartial(this.#session, options.onPartial);
    this.#ensureOpen();
  }

  /** Sets what the next utterance is expected to say, from which the thread makes its grammar. */
  expect(expectation: RecognitionTarget): void {
    this.#expectation = expectation;
    if (this.#closed || this.#ensureOpen()) return;
    this.#worker.send({ kind: 'expect', session: this.#session, expectation });
  }

  /** Adds audio to the utterance in progress; the first audio begins one. */
  push(samples: Int16Array): void {
    if (this.#closed || samples.length === 0) return;
    this.#ensureOpen();
    this.#utteranceGeneration ??= this.#generation;
    for (let from = 0; from < samples.length;) {
      const part = samples.subarray(from, from + this.#chunkSamples - this.#filled);
      this.#chunk.set(part, this.#filled);
      this.#filled += part.length;
      from += part.length;
      if (this.#filled === this.#chunkSamples) this.#sendChunk();
    }
  }

  /**
   * Ends the utterance; resolves with its transcript, or with "not understood" if it had no audio or the stream is
   * closed.
   * @throws SpeechError retryable, if the thread died within the utterance or fails
   */
  async finish(): Promise<Transcript> {
    const beganIn = this.#utteranceGeneration;
    this.#utteranceGeneration = null;
    if (this.#closed || beganIn === null) return NOT_UNDERSTOOD;
    this.#ensureOpen();
    if (beganIn !== this.#generation) {
      this.discard();
      throw new SpeechError('the thread that listened died', { provider: 'pocketsphinx', retryable: true });
    }
    if (this.#filled > 0) this.#sendChunk();
    return this.#worker.request('finish', { session: this.#session });
  }

  /** Drops the utterance in progress. */
  discard(): void {
    this.#filled = 0;
    this.#utteranceGeneration = null;
    if (this.#closed || this.#ensureOpen()) return;
    this.#worker.send({ kind: 'discard', session: this.#session });
  }

  /** Closes the session; returns false if it was closed before. */
  close(): boolean {
    if (this.#closed) return false;
    this.#closed = true;
    this.#worker.onPartial(this.#session, undefined);
    if (this.#generation === this.#worker.generation)
      this.#worker.send({ kind: 'close', session: this.#session });
    return true;
  }

  #sendChunk(): void {
    const samples = this.#chunk.slice(0, this.#filled);
    this.#filled = 0;
    this.#worker.send({ kind: 'push', session: this.#session, samples });
  }

  /** Opens the session, with its expectation, in the present thread. Returns true if it was not open there yet. */
  #ensureOpen(): boolean {
    this.#worker.ensureStarted();
    if (this.#generation === this.#worker.generation) return false;
    this.#generation = this.#worker.generation;
    const { sampleRateHz, onPartial } = this.#options;
    this.#worker.send({
      kind: 'open',
      session: this.#session,
      sampleRateHz,
      wantsPartials: onPartial !== undefined,
    });
    if (this.#expectation)
      this.#worker.send({ kind: 'expect', session: this.#session, expectation: this.#expectation });
    return true;
  }
}
