import type { Transcript } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { Question } from './asking.js';
import { bareYesNo, type Interpretation } from '#playbook/understanding/interpret.js';
import { OPT_OUT_EXPECTATION, readOptOutAnswer, type OptOutAnswer } from './opt-out-answer.js';
import { mayBeOptOut } from '#playbook/contact-preferences/opt-out-doubt.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { leavingIn } from '#playbook/understanding/requests.js';
import type { Language } from '#language/languages/language.js';
import { listsOf, sentencesOf, type Spoken } from '#playbook/values/spoken-language.js';
import type { Surroundings } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';

/** A caller who has heard this share of the words has understood the question. */
const TELLING_SHARE = 0.75;

/** The state of the question: not asked, waiting for its answer, interrupted before it could be understood, or over. */
type Course = 'unasked' | 'open' | 'cut' | 'over';
type Moment = 'doubt' | 'interruption' | 'reply' | 'silence';

/** The state after each event; unchanged if the event is missing. The question is asked once per call. */
const COURSE: Readonly<Record<Course, Readonly<Partial<Record<Moment, Course>>>>> = {
  unasked: { doubt: 'open' },
  open: { interruption: 'cut', reply: 'over', silence: 'over' },
  cut: { reply: 'over', silence: 'over' },
  over: {},
};

/**
 * Asks once per call whether the caller wants no more calls: for utterances that may mean that and have no other
 * meaning.
 */
export class OptOutQuestion {
  readonly #minConfidence: number;
  readonly #surroundings: () => Surroundings;
  #course: Course = 'unasked';

  constructor(parts: { minConfidence: number; surroundings: () => Surroundings }) {
    this.#minConfidence = parts.minConfidence;
    this.#surroundings = parts.surroundings;
  }

  /** True if the next reply is for {@link hear}. */
  get isOpen(): boolean {
    return this.#course === 'open' || this.#course === 'cut';
  }

  /**
   * True if the question should be asked now.
   * @param meaning the meaning of the words to the waiting step
   */
  isCalledFor({ text, confidence }: Transcript, { step }: Question, meaning: Interpretation): boolean {
    const lists = listsOf(this.#surroundings());
    const canBeAsked = COURSE[this.#course].doubt !== undefined && confidence >= this.#minConfidence;
    if (!canBeAsked || !isUnanswered(meaning, step.expect.kind, lists)) return false;
    if (lists !== null) return lists.mayForbidCalls(text);
    const words = wordsOf(text);
    // "Not sure, give me a call when he is in": the request for a call is no opt-out, so it is left out.
    const leave = meaning.kind === 'leaving' ? leavingIn(words, { isFreeSpeech: false }) : undefined;
    const mayBeAdded = this.#surroundings().language?.current.mayForbidCalls(text) ?? false;
    return (
      mayBeAdded || mayBeOptOut(leave ? [...words.slice(0, leave.start), ...words.slice(leave.end)] : words)
    );
  }

  ask(): DialogueOutput[] {
    this.#pass('doubt');
    return optOutQuestion(this.#surroundings());
  }

  /** @param said what was played of the previous turn */
  interrupted(said: string): void {
    const words = sentencesOf(this.#surroundings()).ask_do_not_call.split(' ');
    const tellingPart = words.slice(0, Math.ceil(words.length * TELLING_SHARE)).join(' ');
    if (!said.trim().startsWith(tellingPart)) this.#pass('interruption');
  }

  /** The caller stays silent: the conversation continues with the step. */
  silence(): void {
    this.#pass('silence');
  }

  /** @param meaning the meaning of the words to the waiting step */
  hear(heard: Transcript, { step }: Question, meaning: Interpretation): OptOutAnswer {
    const wasHeard = this.#course === 'open';
    this.#pass('reply');
    return readOptOutAnswer(heard, {
      kind: step.expect.kind,
      meaning,
      wasHeard,
      surroundings: this.#surroundings(),
      minConfidence: this.#minConfidence,
    });
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const course = this.#course;
    return () => {
      this.#course = course;
    };
  }

  #pass(moment: Moment): void {
    this.#course = COURSE[this.#course][moment] ?? this.#course;
  }
}

/** The question in spoken form, and the hints for its answer. */
export function optOutQuestion(spoken: Spoken): DialogueOutput[] {
  const { ask_do_not_call: question, yes_or_no: howToAnswer } = sentencesOf(spoken);
  const { kind, yes: phrases } = OPT_OUT_EXPECTATION;
  const hints = listsOf(spoken) === null ? { kind, phrases } : { kind };
  return [
    { kind: 'say', text: question, interruptible: true },
    { kind: 'say', text: howToAnswer, interruptible: true },
    { kind: 'listen', hints },
  ];
}

/** True for an utterance that was not understood, a bare no, or a leave without a time for another call. */
function isUnanswered(
  meaning: Interpretation,
  kind: PlaybookExpectation['kind'],
  lists: Language | null,
): boolean {
  if (meaning.kind === 'leaving')
    return meaning.moment === null && (meaning.reason === 'goodbye' || meaning.reason === 'later');
  if (meaning.kind !== 'answer') return meaning.kind === 'unclear' || meaning.kind === 'denied';
  if (kind === 'yes_no') return meaning.value === 'no';
  return kind === 'anything' && bareYesNo(meaning.value, lists) === 'no';
}
