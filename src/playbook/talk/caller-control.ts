import type { Transcript } from '#speech/stt.js';
import type { CallerControl, CallerWish, ControlSentence } from '#dialogue/llm/caller-control.js';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import type { ReadContext } from '#playbook/values/value.js';
import type { OpenQuestion } from './open-question.js';
import { standardSentences } from '#playbook/values/spoken-language.js';
import { OptOutQuestion } from './opt-out-question.js';

/** The open question while the model leads the conversation: it may have any answer. */
const OPEN_QUESTION: OpenQuestion = {
  name: 'open',
  step: { kind: 'ask', text: '', expect: { kind: 'anything' }, next: '', otherwise: '' },
  attempts: 1,
  pending: null,
  said: { texts: [], taken: [] },
};

/**
 * Recognises the requests of callers that every agent obeys, and no prompt can overrule, such as no more calls, a
 * goodbye, or a person. Dialogue managers with a language model use it, and the talk, tool and press steps of a
 * playbook.
 */
export class PlaybookCallerControl implements CallerControl {
  readonly #optOut: OptOutQuestion;
  readonly #minConfidence: number;
  readonly #readContext: () => ReadContext;

  /** @param parts.optOut the opt-out question of the call, if other steps ask it too: it is asked once per call */
  constructor(parts: { minConfidence: number; readContext: () => ReadContext; optOut?: OptOutQuestion }) {
    this.#optOut = parts.optOut ?? new OptOutQuestion(parts);
    this.#minConfidence = parts.minConfidence;
    this.#readContext = parts.readContext;
  }

  /** The meaning of an utterance as the answer to an open question. */
  meaningOf(heard: Transcript): Interpretation {
    return interpret(heard, {
      ...this.#readContext(),
      expectation: OPEN_QUESTION.step.expect,
      minConfidence: this.#minConfidence,
    });
  }

  /**
   * The request in an utterance that the agent handles without the model; null if the model should reply. An utterance
   * that may be an opt-out opens the opt-out question (`perhaps_do_not_call`), and the next utterance answers it.
   */
  hear(heard: Transcript): CallerWish | null {
    const meaning = this.meaningOf(heard);
    if (this.#optOut.isOpen) {
      const answer = this.#optOut.hear(heard, OPEN_QUESTION, meaning);
      if (answer === 'do_not_call' || answer === 'goodbye') return answer;
      return wishIn(meaning);
    }
    if (this.#optOut.shouldAsk(heard, OPEN_QUESTION, undecided(meaning))) {
      this.#optOut.ask();
      return 'perhaps_do_not_call';
    }
    return wishIn(meaning);
  }

  /** True if the words forbid further calls, for words that were said over the agent. */
  forbidsCalls({ text, confidence }: Transcript): boolean {
    return confidence >= this.#minConfidence && isOptOut(text, this.#readContext().language?.current);
  }

  /** The caller interrupted the agent after these words. A yes answers the opt-out question only if it was heard. */
  interrupted(heard: string): void {
    this.#optOut.interrupted(heard);
  }

  /** The caller has stayed silent: an open opt-out question is over. */
  silence(): void {
    this.#optOut.silence();
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    return this.#optOut.bookmark();
  }

  /** The standard sentence for a request, in the language of the call. */
  say(sentence: ControlSentence): string {
    const sentences = standardSentences(this.#readContext());
    return sentence === 'ask_do_not_call'
      ? `${sentences.ask_do_not_call} ${sentences.yes_or_no}`
      : sentences[sentence];
  }
}

/** The meaning with answers made unclear: any words answer an open question, but must not rule out an opt-out. */
function undecided(meaning: Interpretation): Interpretation {
  return meaning.kind === 'answer' ? { kind: 'unclear' } : meaning;
}

/** The request that is handled without the model. The model handles requests to repeat and for a later call. */
function wishIn(meaning: Interpretation): CallerWish | null {
  switch (meaning.kind) {
    case 'leaving':
      return meaning.reason === 'later' ? null : meaning.reason;
    case 'answer':
      return meaning.leaving ? 'goodbye_after_answer' : null;
    case 'unclear':
    case 'hold':
    case 'who':
    case 'person':
      return meaning.kind;
    default:
      return null;
  }
}
