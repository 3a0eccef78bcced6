import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript, Stt, SttSession, TurnBelief } from '#speech/stt.js';
import { DroppedError, isWorthRetrying, TooSlowError, within } from '#conversation/talk/within.js';

/** Speech without a recognised word: stored as empty, never invented. */
export const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

const OPENING_TIMEOUT_MS = 10_000;
/** Timeout from the end of a turn to its words; the slowest percent of a cloud provider takes about 2.5 s. */
const WORDS_TIMEOUT_MS = 5_000;
/** Timeout of a local recogniser: many calls at once make it late, but its words are right. */
const LOCAL_WORDS_TIMEOUT_MS = 15_000;
/** Most speech that is buffered while the recogniser opens. */
const LONGEST_BACKLOG_FRAMES = 10_000 / FRAME_MS;

export interface SttLinkParts {
  clock: Clock;
  log: Log;
  stt: Stt;
  /** Language tags: the agent's first, then the others that the caller may speak. */
  languages: readonly string[];
  sampleRateHz: SampleRateHz;
  /** See {@link Stt.open}. */
  mayBeMachine: boolean;
  signal: AbortSignal;
  onPartial(text: string): void;
  onEndOfTurn(belief: TurnBelief): void;
  onFailure(error: unknown): void;
}

/** A recogniser session from the moment it is requested; `stream` is null until it is open. */
interface Recogniser {
  stream: SttSession | null;
}

/**
 * The link to the recogniser of one call. Speech is buffered while the recogniser opens. A recogniser that fails is
 * reopened once (its utterances count as not understood); after a second failure the link has failed.
 */
export class SttLink {
  readonly #parts: SttLinkParts;
  readonly #hearsAll: boolean;
  readonly #backlog: (Int16Array | ((recogniser: Recogniser, stream: SttSession) => void))[] = [];
  /** The current session: results and errors of a replaced one are ignored. */
  #recogniser: Recogniser = { stream: null };
  #expectation: RecognitionHints | null = null;
  /** Failures since the last utterance that was transcribed. */
  #failures = 0;

  constructor(parts: SttLinkParts) {
    this.#parts = parts;
    this.#hearsAll = parts.stt.hears === 'every_frame';
    void this.#open();
  }

  expect(expectation: RecognitionHints): void {
    this.#expectation = expectation;
    this.#recogniser.stream?.expect(expectation);
  }

  /** Takes every frame of the call, in order, for a recogniser that wants them all. */
  pass(frame: Int16Array): void {
    if (this.#hearsAll) this.#push(frame);
  }

  /** Takes the frames of utterances, in order, for a recogniser that wants only those. */
  push(frame: Int16Array): void {
    if (!this.#hearsAll) this.#push(frame);
  }

  #push(frame: Int16Array): void {
    const { stream } = this.#recogniser;
    if (!stream) {
      if (this.#backlog.length < LONGEST_BACKLOG_FRAMES) this.#backlog.push(frame.slice());
      return;
    }
    try {
      stream.push(frame);
    } catch (error) {
      this.#failed(error, this.#recogniser);
    }
  }

  /**
   * Resolves with the words of the utterance pushed so far, within a timeout. Never rejects: see {@link
   * NOT_UNDERSTOOD}.
   */
  async finish(): Promise<Transcript> {
    const { clock, signal, stt, log } = this.#parts;
    const limitMs = stt.isLocal ? LOCAL_WORDS_TIMEOUT_MS : WORDS_TIMEOUT_MS;
    const asked: { recogniser: Recogniser } = { recogniser: this.#recogniser };
    try {
      const limit = { clock, limitMs, signal, what: 'the words of an utterance' };
      const heard = await within(this.#words(asked), limit);
      this.#failures = 0;
      return heard;
    } catch (error) {
      // A busy machine is no failure: a new local session would be as late. A session that is opening has its own
      // timeout.
      const isOnlyLate = stt.isLocal || !asked.recogniser.stream;
      if (isOnlyLate && error instanceof TooSlowError) log.warn({ err: error }, 'words came too late');
      else this.#failed(error, asked.recogniser);
      return NOT_UNDERSTOOD;
    }
  }

  close(): void {
    this.#recogniser.stream?.close();
    this.#recogniser = { stream: null };
  }

  /** @param asked receives the session that transcribes, which may open only later */
  #words(asked: { recogniser: Recogniser }): Promise<Transcript> {
    const { stream } = this.#recogniser;
    if (stream) return stream.finish();
    return new Promise((resolve, reject) => {
      this.#backlog.push((recogniser, opened) => {
        asked.recogniser = recogniser;
        void opened.finish().then(resolve, reject);
      });
    });
  }

  async #open(): Promise<void> {
    const { clock, stt, languages, sampleRateHz, mayBeMachine, signal } = this.#parts;
    const recogniser = this.#recogniser;
    const isWanted = () => recogniser === this.#recogniser && !signal.aborted;
    const onPartial = (text: string) => void (isWanted() && this.#parts.onPartial(text));
    const onEndOfTurn = (belief: TurnBelief) => void (isWanted() && this.#parts.onEndOfTurn(belief));
    try {
      const [language = '', ...otherLanguages] = languages;
      const opening = stt.open({
        language,
        otherLanguages,
        sampleRateHz,
        onPartial,
        onEndOfTurn,
        mayBeMachine,
      });
      // A session that opens after it was replaced, or after the call is over, is closed at once.
      opening.then((stream) => isWanted() || stream.close()).catch(() => {});
      const stream = await within(opening, {
        clock,
        limitMs: OPENING_TIMEOUT_MS,
        signal,
        what: 'the recogniser',
      });
      if (isWanted()) this.#use(recogniser, stream);
    } catch (error) {
      this.#failed(error, recogniser);
    }
  }

  #use(recogniser: Recogniser, stream: SttSession): void {
    if (this.#expectation) stream.expect(this.#expectation);
    recogniser.stream = stream;
    for (const waiting of this.#backlog.splice(0)) {
      if (typeof waiting === 'function') waiting(recogniser, stream);
      else stream.push(waiting);
    }
  }

  #failed(error: unknown, recogniser: Recogniser): void {
    if (error instanceof DroppedError || recogniser !== this.#recogniser) return;
    this.#failures += 1;
    this.#parts.log.warn({ err: error, failures: this.#failures }, 'the recogniser failed');
    // Words that came late once do not end a call: the caller is asked to repeat.
    const isWorthAnother = error instanceof TooSlowError || isWorthRetrying(error);
    if (this.#failures > 1 || !isWorthAnother) return this.#parts.onFailure(error);
    this.close();
    void this.#open();
  }
}
