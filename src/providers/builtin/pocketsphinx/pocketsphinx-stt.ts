import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { RecognitionHints, Transcript, Stt, SttSession } from '#speech/stt.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import type { SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { betterOf } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { Dictation } from './dictation.js';
import { RecognitionStream } from './recognition-stream.js';
import { SecondPass } from './second-pass.js';

type OpenOptions = Parameters<Stt['open']>[0];

/**
 * The built-in recogniser (port `Stt`): SoundSwallower (a descendant of PocketSphinx) with its telephone model, on the
 * threads of the pool. It recognises the answers that the agent expects. Open questions are also transcribed word by
 * word, and some utterances get a second pass for refusals and voicemail greetings.
 */
export function createPocketsphinxStt(parts: { pool: SpeechPool; clock?: Clock }): Stt {
  const { pool, clock = systemClock } = parts;
  const open = new Set<SttSession>();
  return {
    name: 'pocketsphinx',
    isLocal: true,
    async open(options) {
      const worker = pool.join();
      const stream = new PocketsphinxStream(
        new RecognitionStream(worker, options),
        { pool, clock, worker, options },
        () => {
          open.delete(stream);
          pool.leave(worker);
        },
      );
      open.add(stream);
      return stream;
    },
    /** The threads belong to the pool's owner. */
    async close() {
      for (const stream of open) stream.close();
    },
  };
}

/** The dependencies of a {@link PocketsphinxStream}. */
interface StreamParts {
  pool: SpeechPool;
  clock: Clock;
  worker: SpeechWorker;
  options: OpenOptions;
}

/** The recogniser session of one call: first pass, dictation and second pass over each utterance. */
class PocketsphinxStream implements SttSession {
  readonly #stream: RecognitionStream;
  readonly #parts: StreamParts;
  readonly #onClose: () => void;
  /** True while the agent expects a free answer. */
  #mayBeAnything = false;
  #isSpeaking = false;
  #dictation: Dictation | null = null;
  readonly #again: SecondPass;

  constructor(stream: RecognitionStream, parts: StreamParts, onClose: () => void) {
    this.#stream = stream;
    this.#parts = parts;
    this.#onClose = onClose;
    const { sampleRateHz, mayBeMachine = false } = parts.options;
    this.#again = new SecondPass({ ...parts, sampleRateHz, mayBeMachine });
  }

  expect(expectation: RecognitionHints): void {
    this.#stream.expect(expectation);
    this.#again.expect(expectation);
    this.#mayBeAnything = expectation.kind === 'anything';
    if (this.#mayBeAnything) void this.#parts.pool.dictation.prepare();
  }

  push(samples: Int16Array): void {
    this.#stream.push(samples);
    if (!this.#isSpeaking && this.#mayBeAnything) this.#dictation = this.#dictate();
    this.#isSpeaking = true;
    this.#dictation?.push(samples);
    this.#again.push(samples);
  }

  async finish(): Promise<Transcript> {
    const dictation = this.#dictation;
    const again = this.#again.take();
    this.#forgetUtterance();
    const [heard, dictated] = await Promise.all([this.#stream.finish(), dictation?.finish() ?? null]);
    return again(dictated ? betterOf(heard, dictated) : heard);
  }

  discard(): void {
    this.#dictation?.drop();
    this.#forgetUtterance();
    this.#stream.discard();
  }

  close(): void {
    this.#dictation?.drop();
    this.#forgetUtterance();
    this.#mayBeAnything = false;
    if (this.#stream.close()) this.#onClose();
  }

  /** Begins the dictation of an utterance. */
  #dictate(): Dictation {
    const { pool, clock, options } = this.#parts;
    return new Dictation({ workers: pool.dictation, clock, options: { sampleRateHz: options.sampleRateHz } });
  }

  #forgetUtterance(): void {
    this.#again.forget();
    this.#isSpeaking = false;
    this.#dictation = null;
  }
}
