import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript, Stt, SttSession, TurnBelief } from '#speech/stt.js';
import { CancelledError, isWorthRetrying, TooSlowError, within } from '#conversation/talk/within.js';

/** The transcript of speech without a recognised word, also after a failure: stored as empty text, never invented. */
export const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

/** Timeout for opening a session of the recogniser. */
const OPENING_TIMEOUT_MS = 10_000;
/** Timeout from the end of an utterance to its words. For one utterance in a hundred a cloud provider needs 2.5 s. */
const WORDS_TIMEOUT_MS = 5_000;
/** Timeout of a local recogniser: many calls at once make it late, but its words are right. */
const LOCAL_WORDS_TIMEOUT_MS = 15_000;
/** Most speech that is buffered while the recogniser opens. */
const LONGEST_BACKLOG_FRAMES = 10_000 / FRAME_MS;

/** The dependencies of an {@link SttLink}. */
export interface SttLinkParts {
  clock: Clock;
  log: Log;
  stt: Stt;
  /** Language tags: the agent's first, then the others that the caller may speak. */
  languages: readonly string[];
  sampleRateHz: SampleRateHz;
  /** True if an answering machine may have answered: a capable recogniser then also looks for its greeting. */
  mayBeMachine: boolean;
  signal: AbortSignal;
  onPartial(text: string): void;
  onEndOfTurn(belief: TurnBelief): void;
  /** The link has failed for good. */
  onFailure(error: unknown): void;
}

/** A session of the recogniser from the moment it is requested; `stream` is null until it is open. */
interface Recogniser {
  stream: SttSession | null;
}

/**
 * The link from one call to its recogniser: opens the session, gives it the caller's sound, and limits the waiting for
 * words. Sound is buffered while the session opens. A session that fails is replaced once, and its utterances count as
 * not understood. The link itself fails after a second failure without a transcript in between, or at once for an error
 * that a retry cannot mend. Made by `createListening` for the segmenter, which pushes sound, and the utterance queue,
 * which asks for words.
 */
export class SttLink {
  readonly #parts: SttLinkParts;
  readonly #takesEveryFrame: boolean;
  /** Sound and requests for words that wait for the session to open, in their order. */
  readonly #backlog: (Int16Array | ((recogniser: Recogniser, stream: SttSession) => void))[] = [];
  /** The current session: results and errors of a replaced one are ignored. */
  #recogniser: Recogniser = { stream: null };
  #hints: RecognitionHints | null = null;
  /** Failures since the last utterance that was transcribed. */
  #failures = 0;

  constructor(parts: SttLinkParts) {
    this.#parts = parts;
    this.#takesEveryFrame = parts.stt.hears === 'every_frame';
    void this.#open();
  }

  /** Sets the hints for the next answer; a session opened later gets them too. */
  expect(hints: RecognitionHints): void {
    this.#hints = hints;
    this.#recogniser.stream?.expect(hints);
  }

  /** Takes every frame of the call, in order. Ignored if the recogniser wants only utterances. */
  pushEveryFrame(frame: Int16Array): void {
    if (this.#takesEveryFrame) this.#push(frame);
  }

  /** Takes the frames of utterances, in order. Ignored if the recogniser wants every frame of the call. */
  pushSpeech(frame: Int16Array): void {
    if (!this.#takesEveryFrame) this.#push(frame);
  }

  /** Gives a frame to the session, or buffers a copy until the session is open. */
  #push(frame: Int16Array): void {
    const { stream } = this.#recogniser;
    if (!stream) {
      if (this.#backlog.length < LONGEST_BACKLOG_FRAMES) this.#backlog.push(frame.slice());
      return;
    }
    try {
      stream.push(frame);
    } catch (error) {
      this.#handleFailure(error, this.#recogniser);
    }
  }

  /**
   * Resolves with the words of the utterance pushed so far, or with {@link NOT_UNDERSTOOD} after a failure or a
   * timeout; never rejects.
   */
  async finish(): Promise<Transcript> {
    const { clock, signal, stt, log } = this.#parts;
    const limitMs = stt.isLocal ? LOCAL_WORDS_TIMEOUT_MS : WORDS_TIMEOUT_MS;
    const transcribing: { recogniser: Recogniser } = { recogniser: this.#recogniser };
    try {
      const limit = { clock, limitMs, signal, name: 'the words of an utterance' };
      const heard = await within(this.#words(transcribing), limit);
      this.#failures = 0;
      return heard;
    } catch (error) {
      // A busy machine is no failure: a new local session would be as late. A session that is opening has its own
      // timeout.
      const isLateOnly = stt.isLocal || !transcribing.recogniser.stream;
      if (isLateOnly && error instanceof TooSlowError) log.warn({ err: error }, 'words came too late');
      else this.#handleFailure(error, transcribing.recogniser);
      return NOT_UNDERSTOOD;
    }
  }

  /** Closes the session. Later results of the session are ignored. */
  close(): void {
    this.#recogniser.stream?.close();
    this.#recogniser = { stream: null };
  }

  /**
   * Requests the words of the utterance pushed so far.
   * @param transcribing receives the session that transcribes the utterance, which may open only later
   */
  #words(transcribing: { recogniser: Recogniser }): Promise<Transcript> {
    const { stream } = this.#recogniser;
    if (stream) return stream.finish();
    return new Promise((resolve, reject) => {
      this.#backlog.push((recogniser, opened) => {
        transcribing.recogniser = recogniser;
        void opened.finish().then(resolve, reject);
      });
    });
  }

  /** Opens the session of `#recogniser`, within a timeout. */
  async #open(): Promise<void> {
    const { clock, stt, languages, sampleRateHz, mayBeMachine, signal } = this.#parts;
    const recogniser = this.#recogniser;
    const isCurrent = () => recogniser === this.#recogniser && !signal.aborted;
    const onPartial = (text: string) => void (isCurrent() && this.#parts.onPartial(text));
    const onEndOfTurn = (belief: TurnBelief) => void (isCurrent() && this.#parts.onEndOfTurn(belief));
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
      opening.then((stream) => isCurrent() || stream.close()).catch(() => {});
      const stream = await within(opening, {
        clock,
        limitMs: OPENING_TIMEOUT_MS,
        signal,
        name: 'the recogniser',
      });
      if (isCurrent()) this.#sessionOpened(recogniser, stream);
    } catch (error) {
      this.#handleFailure(error, recogniser);
    }
  }

  /** A session has opened: gives it the hints and the backlog. */
  #sessionOpened(recogniser: Recogniser, stream: SttSession): void {
    if (this.#hints) stream.expect(this.#hints);
    recogniser.stream = stream;
    for (const waiting of this.#backlog.splice(0)) {
      if (typeof waiting === 'function') waiting(recogniser, stream);
      else stream.push(waiting);
    }
  }

  /** Replaces the session after its first failure, or reports the failure of the link. */
  #handleFailure(error: unknown, recogniser: Recogniser): void {
    if (error instanceof CancelledError || recogniser !== this.#recogniser) return;
    this.#failures += 1;
    this.#parts.log.warn({ err: error, failures: this.#failures }, 'the recogniser failed');
    // A first timeout does not end the call: without the words of the utterance the caller is asked to repeat.
    const isRetryUseful = error instanceof TooSlowError || isWorthRetrying(error);
    if (this.#failures > 1 || !isRetryUseful) return this.#parts.onFailure(error);
    this.close();
    void this.#open();
  }
}
