import { asError } from '#kernel/errors/as-error.js';
import type { ModelRequest } from './language-model.js';
import { streamAnswer, type Answer, type AnswerParts, type AnswerPiece } from './model-answer.js';

/** Most replies prepared in one turn of the caller: each is a request to the model. */
const MOST_ATTEMPTS = 3;
/** How long after the caller's first pause in a turn replies are prepared: a long speech has many pauses. */
const LONGEST_SPEECH_MS = 10_000;

/** The model, clock and report of the requests; each reply has a signal of its own. */
type PreparationParts = Omit<AnswerParts, 'signal'>;

/**
 * Asks the model early, with the words so far, while the caller may continue. The reply is held back until a turn takes
 * it over: it is not spoken, it is not in the history, and its tools do not run. Used by `AnswerRounds`.
 */
export class ReplyPreparation {
  readonly #parts: PreparationParts;
  /** The words that the newest reply answers, or would answer if the limits had allowed it. */
  #words = '';
  /** When the first reply of this turn of the caller was due (monotonic); null before. */
  #firstDueMs: number | null = null;
  /** Replies requested in this turn of the caller. */
  #attempts = 0;
  #reply: PreparedReply | null = null;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /**
   * Takes the words so far.
   * @param soFar.hasPaused true if the words may be all
   * @param requestOn the request to the model if these words were all; null if there would be none
   */
  takePartialWords(
    { words, hasPaused }: { words: string; hasPaused: boolean },
    requestOn: (words: string) => ModelRequest | null,
  ): void {
    const isSame = words === this.#words || normalised(words) === normalised(this.#words);
    if (!isSame) this.#reply?.drop();
    if (isSame || !hasPaused) return;
    this.#words = words;
    this.#reply = null;
    const nowMs = this.#parts.clock.monotonicMs();
    this.#firstDueMs ??= nowMs;
    if (nowMs - this.#firstDueMs > LONGEST_SPEECH_MS || this.#attempts >= MOST_ATTEMPTS) return;
    const request = requestOn(words);
    if (request === null) return;
    this.#attempts += 1;
    this.#reply = new PreparedReply(request, this.#parts);
  }

  /** Removes and returns the prepared reply, which the receiver must use or drop; null if there is none. */
  handOver(): PreparedReply | null {
    const reply = this.#reply;
    this.#reply = null;
    this.reset();
    return reply;
  }

  /** Drops the prepared reply; the next words start a new preparation. */
  reset(): void {
    this.#reply?.drop();
    this.#reply = null;
    this.#words = '';
    this.#firstDueMs = null;
    this.#attempts = 0;
  }
}

/** An answer of a model that is read before it is known whether it will be used. */
export class PreparedReply {
  readonly #fingerprint: string;
  readonly #abort = new AbortController();
  /** The pieces that have arrived and were not given out. */
  readonly #pieces: IteratorResult<AnswerPiece, Answer>[] = [];
  /** Wakes the reader of `pieces` when a piece has arrived. */
  #wake: () => void = () => {};

  constructor(request: ModelRequest, parts: PreparationParts) {
    this.#fingerprint = fingerprintOf(request);
    void this.#read(streamAnswer(request, { ...parts, signal: this.#abort.signal }));
  }

  /**
   * True if the reply answers exactly this request: the same system text, messages, tools and settings. False for a
   * reply that has failed or was dropped.
   */
  fits(request: ModelRequest): boolean {
    const last = this.#pieces.at(-1);
    const hasFailed = last?.done === true && last.value.failure !== null;
    return !hasFailed && !this.#abort.signal.aborted && fingerprintOf(request) === this.#fingerprint;
  }

  /** Yields the answer from its beginning, as it arrives. @param signal of the turn that uses the reply */
  async *pieces(signal: AbortSignal): AsyncGenerator<AnswerPiece, Answer> {
    const onAbort = () => this.drop();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      for (;;) {
        while (this.#pieces.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const next = this.#pieces.shift()!;
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      signal.removeEventListener('abort', onAbort);
      this.drop();
    }
  }

  /** Closes the connection: no more of the answer is wanted. */
  drop(): void {
    this.#abort.abort();
  }

  /** Reads the whole answer as it arrives. */
  async #read(answer: AsyncGenerator<AnswerPiece, Answer>): Promise<void> {
    let next: IteratorResult<AnswerPiece, Answer>;
    do {
      next = await answer.next().catch((error: unknown) => {
        return { done: true as const, value: { calls: [], failure: asError(error) } };
      });
      this.#pieces.push(next);
      this.#wake();
    } while (next.done !== true);
  }
}

/**
 * Requests with equal fingerprints are equal. The caller's words are normalised: recognisers write partial and final
 * words with different punctuation.
 */
function fingerprintOf({ system, messages, tools, settings }: ModelRequest): string {
  const comparableMessages = messages.map((message) =>
    message.role === 'user' ? { ...message, text: normalised(message.text) } : message,
  );
  return JSON.stringify([system, comparableMessages, tools, settings]);
}

/** Words without punctuation and capitals. */
function normalised(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).join(' ');
}
