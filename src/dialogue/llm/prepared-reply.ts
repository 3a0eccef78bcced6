import { asError } from '#kernel/errors/as-error.js';
import type { ModelRequest } from './language-model.js';
import { streamAnswer, type Answer, type AnswerParts, type AnswerPiece } from './model-answer.js';

/** Limits of preparing for one turn of the caller: attempts, and time since the first words. */
const MOST_TRIES = 3;
const LONGEST_SPEECH_MS = 10_000;

type PreparationParts = Omit<AnswerParts, 'signal'>;

/**
 * Asks the model early, on the words so far, while the caller may continue. The reply is held back: it is not spoken,
 * not in the history, and its tools do not run until a turn takes it over.
 */
export class ReplyPreparation {
  readonly #parts: PreparationParts;
  /** The words that the reply answers, or would have answered. */
  #words = '';
  #sinceMs: number | null = null;
  #tries = 0;
  #reply: PreparedReply | null = null;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /**
   * Takes the words so far.
   * @param soFar.hasPaused true if the words may be all
   * @param requestOn the request to the model if these words were all; null if there would be none
   */
  hearing(
    { words, hasPaused }: { words: string; hasPaused: boolean },
    requestOn: (words: string) => ModelRequest | null,
  ): void {
    const isSame = words === this.#words || plainly(words) === plainly(this.#words);
    if (!isSame) this.#reply?.drop();
    if (isSame || !hasPaused) return;
    this.#words = words;
    this.#reply = null;
    const nowMs = this.#parts.clock.monotonicMs();
    this.#sinceMs ??= nowMs;
    if (nowMs - this.#sinceMs > LONGEST_SPEECH_MS || this.#tries >= MOST_TRIES) return;
    const request = requestOn(words);
    if (request === null) return;
    this.#tries += 1;
    this.#reply = new PreparedReply(request, this.#parts);
  }

  /** The reply prepared by now, owned by the receiver from now on. The next turn of the caller starts over. */
  handOver(): PreparedReply | null {
    const reply = this.#reply;
    this.#reply = null;
    this.forget();
    return reply;
  }

  /** Drops the preparation. */
  forget(): void {
    this.#reply?.drop();
    this.#reply = null;
    this.#words = '';
    this.#sinceMs = null;
    this.#tries = 0;
  }
}

/** An answer that is read before it is known to be wanted. */
export class PreparedReply {
  readonly #asked: string;
  readonly #abort = new AbortController();
  readonly #pieces: IteratorResult<AnswerPiece, Answer>[] = [];
  #wake: () => void = () => {};

  constructor(request: ModelRequest, parts: Omit<AnswerParts, 'signal'>) {
    this.#asked = fingerprintOf(request);
    void this.#read(streamAnswer(request, { ...parts, signal: this.#abort.signal }));
  }

  /** True if it answers exactly this request: the same words, history and tools. A failed reply answers nothing. */
  answers(request: ModelRequest): boolean {
    const last = this.#pieces.at(-1);
    const hasFailed = last?.done === true && last.value.failure !== null;
    return !hasFailed && !this.#abort.signal.aborted && fingerprintOf(request) === this.#asked;
  }

  /** The answer from its beginning; aborted with the turn that took it over. */
  async *pieces(signal: AbortSignal): AsyncGenerator<AnswerPiece, Answer> {
    const drop = () => this.drop();
    signal.addEventListener('abort', drop, { once: true });
    try {
      for (;;) {
        while (this.#pieces.length === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
        const next = this.#pieces.shift()!;
        if (next.done === true) return next.value;
        yield next.value;
      }
    } finally {
      signal.removeEventListener('abort', drop);
      this.drop();
    }
  }

  /** Closes the connection: no more of the answer is wanted. */
  drop(): void {
    this.#abort.abort();
  }

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

/** Equal fingerprints mean equal requests: recognisers differ in how they write the same words. */
function fingerprintOf({ system, messages, tools, settings }: ModelRequest): string {
  const asked = messages.map((message) =>
    message.role === 'user' ? { ...message, text: plainly(message.text) } : message,
  );
  return JSON.stringify([system, asked, tools, settings]);
}

/** Words without punctuation and capitals. */
function plainly(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).join(' ');
}
