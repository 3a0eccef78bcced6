import type { Transcript } from '#speech/stt.js';
import type { CallerControl, CallerWish, ControlSentence } from '#dialogue/llm/caller-control.js';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import type { Surroundings } from '#playbook/values/value.js';
import type { Question } from './asking.js';
import { sentencesOf } from '#playbook/values/spoken-language.js';
import { OptOutQuestion } from './opt-out-question.js';

/** A question from the model may have any answer. */
const OPEN_QUESTION: Question = {
  name: 'open',
  step: { kind: 'ask', text: '', expect: { kind: 'anything' }, next: '', otherwise: '' },
  attempts: 1,
  pending: null,
  said: { texts: [], taken: [] },
};

/** Recognises the requests that every playbook obeys, for dialogue managers without a playbook. */
export class PlaybookCallerControl implements CallerControl {
  readonly #optOut: OptOutQuestion;
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;

  /** @param parts.optOut the opt-out question of the call, if other steps ask it too: it is asked once per call */
  constructor(parts: { minConfidence: number; surroundings: () => Surroundings; optOut?: OptOutQuestion }) {
    this.#optOut = parts.optOut ?? new OptOutQuestion(parts);
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  /** The meaning of an utterance as the answer to an open question. */
  meaningOf(heard: Transcript): Interpretation {
    return interpret(heard, {
      ...this.#surroundings(),
      expectation: OPEN_QUESTION.step.expect,
      minConfidence: this.#minConfidence,
    });
  }

  hear(heard: Transcript): CallerWish | null {
    const meaning = this.meaningOf(heard);
    if (this.#optOut.isOpen) {
      const answer = this.#optOut.hear(heard, OPEN_QUESTION, meaning);
      if (answer === 'do_not_call' || answer === 'goodbye') return answer;
      return wishIn(meaning);
    }
    if (this.#optOut.isCalledFor(heard, OPEN_QUESTION, undecided(meaning))) {
      this.#optOut.ask();
      return 'perhaps_do_not_call';
    }
    return wishIn(meaning);
  }

  forbidsCalls({ text, confidence }: Transcript): boolean {
    return confidence >= this.#minConfidence && isOptOut(text, this.#surroundings().language?.current);
  }

  interrupted(heard: string): void {
    this.#optOut.interrupted(heard);
  }

  silence(): void {
    this.#optOut.silence();
  }

  bookmark(): () => void {
    return this.#optOut.bookmark();
  }

  say(sentence: ControlSentence): string {
    const sentences = sentencesOf(this.#surroundings());
    return sentence === 'ask_do_not_call'
      ? `${sentences.ask_do_not_call} ${sentences.yes_or_no}`
      : sentences[sentence];
  }
}

/** To an open question any words are an answer. Treating them as unclear leaves the opt-out question possible. */
function undecided(meaning: Interpretation): Interpretation {
  return meaning.kind === 'answer' ? { kind: 'unclear' } : meaning;
}

/** The request that is handled without the model. Requests to repeat and for a later call are left to the model. */
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
