import type { Heard } from '../speech/hearing.js';
import type { Entry } from './conversation.js';
import type { Utterance } from './ear.js';
import { NOT_UNDERSTOOD, type HearingLink } from './hearing-link.js';
import type { ResponseMarks } from './turn-timing.js';

export interface UnderstandingParts {
  link: HearingLink;
  onEntry(entry: Entry): void;
  /** The caller's turn is understood, all of it. */
  onWords(heard: Heard, response: ResponseMarks): void;
  onFailure(error: unknown): void;
}

/**
 * From utterances to words: every utterance becomes an entry of the transcript; those that are answers are gathered
 * until the agent has answered, so that a turn with a pause in it is understood as one.
 */
export class Understanding {
  readonly #parts: UnderstandingParts;
  readonly #pending = new Set<Promise<void>>();
  #unanswered: Heard[] = [];
  /** Utterances of the caller's turn whose words are still to come. */
  #awaited = 0;

  constructor(parts: UnderstandingParts) {
    this.#parts = parts;
  }

  /** The utterance just pushed is no answer; it is only written down. */
  note(utterance: Utterance): void {
    this.#track(this.#words(utterance));
  }

  /** The utterance just pushed is an answer, or goes on with one. */
  answer(utterance: Utterance, response: ResponseMarks): void {
    this.#awaited += 1;
    this.#track(
      this.#words(utterance).then((heard) => {
        this.#awaited -= 1;
        this.typed(heard, response);
      }),
    );
  }

  /** An answer whose words are known. */
  typed(heard: Heard, response: ResponseMarks): void {
    this.#unanswered.push(heard);
    if (this.#awaited === 0) this.#parts.onWords(joined(this.#unanswered), response);
  }

  /** The agent has begun to answer. */
  answered(): void {
    this.#unanswered = [];
  }

  /** Resolves when nothing is left to be understood. */
  async settled(): Promise<void> {
    await Promise.all(this.#pending);
  }

  async #words(utterance: Utterance): Promise<Heard> {
    const heard = await this.#parts.link.finish();
    this.#parts.onEntry({ speaker: 'customer', ...heard, ...utterance, interrupted: false });
    return heard;
  }

  #track(work: Promise<unknown>): void {
    const pending = work.then(() => {}, this.#parts.onFailure).finally(() => this.#pending.delete(pending));
    this.#pending.add(pending);
  }
}

/** Several utterances in a row as one: what was understood of them, as sure as the least sure part. */
function joined(parts: readonly Heard[]): Heard {
  const understood = parts.filter(({ text }) => text !== '');
  if (understood.length === 0) return NOT_UNDERSTOOD;
  const text = understood.map((part) => part.text).join(' ');
  return { text, confidence: Math.min(...understood.map((part) => part.confidence)) };
}
