import type { Clock } from '#kernel/time/clock.js';
import type { Log } from '#kernel/log/log.js';
import { FRAME_MS, type SampleRateHz } from '#media/samples/audio.js';
import type { RecognitionHints, Transcript, Stt, SttSession, TurnBelief } from '#speech/stt.js';
import { DroppedError, isWorthRetrying, TooSlowError, within } from '#conversation/talk/within.js';

/** Speech that was not understood: stored honestly, never invented. */
export const NOT_UNDERSTOOD: Transcript = { text: '', confidence: 0 };

const OPENING_TIMEOUT_MS = 10_000;
/** From the end of a turn to its words; a cloud's slowest percent is about 2.5 s. */
const WORDS_TIMEOUT_MS = 5_000;
/** The same for what is understood on this machine: late, because many talk at once, but right. */
const LOCAL_WORDS_TIMEOUT_MS = 15_000;
/** How much speech waits while the recogniser is being opened. */
const LONGEST_BACKLOG_FRAMES = 10_000 / FRAME_MS;

export interface SttLinkParts {
  clock: Clock;
  log: Log;
  stt: Stt;
  /** Tags: that of the agent, and the others that its caller may speak. */
  languages: readonly string[];
  sampleRateHz: SampleRateHz;
  /** See {@link Stt.open}. */
  mayBeMachine: boolean;
  signal: AbortSignal;
  onPartial(text: string): void;
  onEndOfTurn(belief: TurnBelief): void;
  onFailure(error: unknown): void;
}

/** A recogniser from the moment it is asked for; null until it is there. */
interface Recogniser {
  stream: SttSession | null;
}

/**
 * The way to the recogniser of one call. Speech that comes while it is being opened waits; a recogniser that fails is
 * opened once more (its utterances count as not understood), and when that fails too, the link has failed.
 */
export class SttLink {
  readonly #parts: SttLinkParts;
  readonly #hearsAll: boolean;
  readonly #backlog: (Int16Array | ((recogniser: Recogniser, stream: SttSession) => void))[] = [];
  /** What one that was replaced still tells, or fails in, concerns nobody. */
  #recogniser: Recogniser = { stream: null };
  #expectation: RecognitionHints | null = null;
  /** Failures since the last utterance that was understood. */
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

  /** Every frame of the call, in order, for a recogniser that hears them all. */
  pass(frame: Int16Array): void {
    if (this.#hearsAll) this.#push(frame);
  }

  /** A frame of an utterance, in order, for a recogniser that hears nothing else. */
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

  /** The words of the utterance pushed so far. Never rejects and always comes: see {@link NOT_UNDERSTOOD}. */
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
      // A busy machine is no failure, and a new one on it would be as late; one that is being opened has its own time.
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

  /** `asked`: told which recogniser it was that heard them, where that is open only later. */
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
      // A recogniser that opens after it was given up, or after the call is over, belongs to nobody.
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
    // Words that came too late once are no reason to end a call: a busy machine is asked again, as a caller would be.
    const isWorthAnother = error instanceof TooSlowError || isWorthRetrying(error);
    if (this.#failures > 1 || !isWorthAnother) return this.#parts.onFailure(error);
    this.close();
    void this.#open();
  }
}
