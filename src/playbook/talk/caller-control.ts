import type { Transcript } from '#speech/stt.js';
import type { CallerControl, CallerWish, ControlSentence } from '#dialogue/llm/caller-control.js';
import { interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { isOptOut } from '#playbook/understanding/requests.js';
import type { Surroundings } from '#playbook/values/value.js';
import type { Question } from './asking.js';
import { sentencesOf } from '#playbook/values/spoken-language.js';
import { OptOutQuestion } from './opt-out-question.js';

/** What a model has asked may be answered with anything. */
const OPEN_QUESTION: Question = {
  name: 'open',
  step: { kind: 'ask', text: '', expect: { kind: 'anything' }, next: '', otherwise: '' },
  attempts: 1,
  pending: null,
  said: { texts: [], taken: [] },
};

/** The wishes of callers that a playbook always follows, for dialogue managers without a playbook. */
export class PlaybookCallerControl implements CallerControl {
  readonly #optOut: OptOutQuestion;
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;

  /** @param parts.optOut where other steps of the call put the question, too: it is put once */
  constructor(parts: { minConfidence: number; surroundings: () => Surroundings; optOut?: OptOutQuestion }) {
    this.#optOut = parts.optOut ?? new OptOutQuestion(parts);
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  /** What an utterance means where anything may be said. */
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

/** To a model any words are an answer; that alone leaves open whether they forbid calls. */
function undecided(meaning: Interpretation): Interpretation {
  return meaning.kind === 'answer' ? { kind: 'unclear' } : meaning;
}

/** Another time for the call, and what was not heard well, are left to the model. */
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
