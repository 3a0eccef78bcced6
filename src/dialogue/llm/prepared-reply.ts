import { asError } from '#kernel/errors/as-error.js';
import type { ModelRequest } from './language-model.js';
import { streamAnswer, type Answer, type AnswerParts, type AnswerPiece } from './model-answer.js';

/** How often a reply is prepared for one turn of the caller, and for how long after its first word. */
const MOST_TRIES = 3;
const LONGEST_SPEECH_MS = 10_000;

type PreparationParts = Omit<AnswerParts, 'signal'>;

/**
 * Asks the model while the caller may still go on, on the words so far. What comes of that is kept aside: nobody hears
 * it, no history holds it, and none of its tools is run, until a turn takes it over.
 */
export class ReplyPreparation {
  readonly #parts: PreparationParts;
  /** What the reply is to, or would have been. */
  #words = '';
  #sinceMs: number | null = null;
  #tries = 0;
  #reply: PreparedReply | null = null;

  constructor(parts: PreparationParts) {
    this.#parts = parts;
  }

  /**
   * This was understood so far of what the caller says.
   * @param soFar.hasPaused it may be all
   * @param requestOn what the model would be asked if these words were all; null where it would not be asked
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

  /** What was prepared by now; the next turn of the caller begins anew. Whoever takes it over lets go of it. */
  handOver(): PreparedReply | null {
    const reply = this.#reply;
    this.#reply = null;
    this.forget();
    return reply;
  }

  /** Nothing is prepared any more. */
  forget(): void {
    this.#reply?.drop();
    this.#reply = null;
    this.#words = '';
    this.#sinceMs = null;
    this.#tries = 0;
  }
}

/** An answer that is read before it is known whether it is wanted. */
export class PreparedReply {
  readonly #asked: string;
  readonly #abort = new AbortController();
  readonly #pieces: IteratorResult<AnswerPiece, Answer>[] = [];
  #wake: () => void = () => {};

  constructor(request: ModelRequest, parts: Omit<AnswerParts, 'signal'>) {
    this.#asked = fingerprintOf(request);
    void this.#read(streamAnswer(request, { ...parts, signal: this.#abort.signal }));
  }

  /** Whether it answers just this: the same words, history and tools. One that has failed answers nothing. */
  answers(request: ModelRequest): boolean {
    const last = this.#pieces.at(-1);
    const hasFailed = last?.done === true && last.value.failure !== null;
    return !hasFailed && !this.#abort.signal.aborted && fingerprintOf(request) === this.#asked;
  }

  /** The answer from its beginning; aborted with the turn that has taken it over. */
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

  /** It is not wanted, or no more of it: its connection is closed. */
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

/** Requests of one fingerprint ask the same: recognisers write the words of the caller in one way and in another. */
function fingerprintOf({ system, messages, tools, settings }: ModelRequest): string {
  const asked = messages.map((message) =>
    message.role === 'user' ? { ...message, text: plainly(message.text) } : message,
  );
  return JSON.stringify([system, asked, tools, settings]);
}

/** Words without marks and capitals. */
function plainly(text: string): string {
  return (text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? []).join(' ');
}
