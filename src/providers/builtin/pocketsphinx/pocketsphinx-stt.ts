import { systemClock, type Clock } from '#kernel/time/clock.js';
import type { RecognitionHints, Transcript, Stt, SttSession } from '#speech/stt.js';
import type { SpeechWorker } from '#providers/builtin/threads/speech-worker.js';
import type { SpeechPool } from '#providers/builtin/threads/speech-pool.js';
import { betterTranscript } from '#providers/builtin/pocketsphinx/confidence/confidence.js';
import { Dictation } from './dictation.js';
import { RecognitionStream } from './recognition-stream.js';
import { SecondPass } from './second-pass.js';

type OpenOptions = Parameters<Stt['open']>[0];

/**
 * The built-in recogniser (port `Stt`): SoundSwallower (a descendant of PocketSphinx) with its telephone model, on the
 * threads of the pool. It recognises the answers that the agent expects. Open questions are also transcribed word by
 * word, and some utterances get a second pass for refusals and voicemail greetings. Opened by `openBuiltInSpeech`.
 */
export function createPocketsphinxStt(parts: { pool: SpeechPool; clock?: Clock }): Stt {
  const { pool, clock = systemClock } = parts;
  const openSessions = new Set<SttSession>();
  return {
    name: 'pocketsphinx',
    isLocal: true,
    async open(options) {
      const worker = pool.join();
      const session = new PocketsphinxSession(
        new RecognitionStream(worker, options),
        { pool, clock, worker, options },
        () => {
          openSessions.delete(session);
          pool.leave(worker);
        },
      );
      openSessions.add(session);
      return session;
    },
    /** Closes all sessions. The threads belong to the pool's owner, who closes them. */
    async close() {
      for (const session of openSessions) session.close();
    },
  };
}

/** The dependencies of a {@link PocketsphinxSession}. */
interface SessionParts {
  pool: SpeechPool;
  clock: Clock;
  worker: SpeechWorker;
  options: OpenOptions;
}

/** The recogniser session of one call: first pass, dictation and second pass over each utterance. */
class PocketsphinxSession implements SttSession {
  readonly #stream: RecognitionStream;
  readonly #parts: SessionParts;
  readonly #onClose: () => void;
  /** True while the agent expects a free answer. */
  #isOpenQuestion = false;
  /** True from the first audio of an utterance to its end. */
  #isSpeaking = false;
  #dictation: Dictation | null = null;
  readonly #secondPass: SecondPass;

  constructor(stream: RecognitionStream, parts: SessionParts, onClose: () => void) {
    this.#stream = stream;
    this.#parts = parts;
    this.#onClose = onClose;
    const { sampleRateHz, mayBeMachine = false } = parts.options;
    this.#secondPass = new SecondPass({ ...parts, sampleRateHz, mayBeMachine });
  }

  /** Sets the answer that the agent expects next; an open question loads a dictation thread. */
  expect(expectation: RecognitionHints): void {
    this.#stream.expect(expectation);
    this.#secondPass.expect(expectation);
    this.#isOpenQuestion = expectation.kind === 'anything';
    if (this.#isOpenQuestion) void this.#parts.pool.dictation.prepare();
  }

  /** Adds audio of the caller; the first audio of an utterance may begin a dictation. */
  push(samples: Int16Array): void {
    this.#stream.push(samples);
    if (!this.#isSpeaking && this.#isOpenQuestion) this.#dictation = this.#dictate();
    this.#isSpeaking = true;
    this.#dictation?.push(samples);
    this.#secondPass.push(samples);
  }

  /** Ends the utterance; resolves with the best of the passes that ran. */
  async finish(): Promise<Transcript> {
    const dictation = this.#dictation;
    const finalPass = this.#secondPass.endUtterance();
    this.#resetUtterance();
    const [recognised, dictated] = await Promise.all([this.#stream.finish(), dictation?.finish() ?? null]);
    return finalPass(dictated ? betterTranscript(recognised, dictated) : recognised);
  }

  /** Drops the utterance in progress: it was no speech. */
  discard(): void {
    this.#dictation?.discard();
    this.#resetUtterance();
    this.#stream.discard();
  }

  /** Ends the session and gives its place on the thread back. */
  close(): void {
    this.#dictation?.discard();
    this.#resetUtterance();
    this.#isOpenQuestion = false;
    if (this.#stream.close()) this.#onClose();
  }

  /** Begins the dictation of an utterance. */
  #dictate(): Dictation {
    const { pool, clock, options } = this.#parts;
    return new Dictation({ workers: pool.dictation, clock, options: { sampleRateHz: options.sampleRateHz } });
  }

  /** Prepares for the next utterance. */
  #resetUtterance(): void {
    this.#secondPass.dropAudio();
    this.#isSpeaking = false;
    this.#dictation = null;
  }
}
