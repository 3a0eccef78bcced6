import type { Transcript } from '#speech/stt.js';
import type { DialogueOutput } from '#dialogue/dialogue-manager.js';
import type { OpenQuestion } from './open-question.js';
import { bareYesNo, type Interpretation } from '#playbook/understanding/interpret.js';
import { OPT_OUT_EXPECTATION, readOptOutAnswer, type OptOutAnswer } from './opt-out-answer.js';
import { mayBeOptOut } from '#playbook/contact-preferences/possible-opt-out.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { leaveRequestIn } from '#playbook/understanding/requests.js';
import type { Language } from '#language/languages/language.js';
import {
  wordListLanguage,
  standardSentences,
  type WithCallLanguage,
} from '#playbook/values/spoken-language.js';
import type { ReadContext } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';

/** A caller who has heard this share of the question's words has understood it. */
const UNDERSTOOD_SHARE = 0.75;

/**
 * The state of the question: not asked yet; waiting for its answer; `cut` short by the caller before it could be
 * understood, still waiting; or over.
 */
type QuestionState = 'unasked' | 'open' | 'cut' | 'over';
/** An event of the call that moves the question: `doubt` is a reply that may be an opt-out. */
type QuestionEvent = 'doubt' | 'interruption' | 'reply' | 'silence';

/** The state after each event; unchanged if the event is missing. The question is asked once per call. */
const NEXT_STATE: Readonly<Record<QuestionState, Readonly<Partial<Record<QuestionEvent, QuestionState>>>>> = {
  unasked: { doubt: 'open' },
  open: { interruption: 'cut', reply: 'over', silence: 'over' },
  cut: { reply: 'over', silence: 'over' },
  over: {},
};

/**
 * The question whether the caller wants no more calls. It is asked once per call, after an utterance that may mean an
 * opt-out and has no certain meaning. `PlaybookSession` and `PlaybookCallerControl` share the question of a call.
 */
export class OptOutQuestion {
  readonly #minConfidence: number;
  readonly #readContext: () => ReadContext;
  #state: QuestionState = 'unasked';

  constructor(parts: { minConfidence: number; readContext: () => ReadContext }) {
    this.#minConfidence = parts.minConfidence;
    this.#readContext = parts.readContext;
  }

  /** True if the question waits for its answer: the next reply goes to {@link hear}. */
  get isOpen(): boolean {
    return this.#state === 'open' || this.#state === 'cut';
  }

  /**
   * True if the question should be asked after an utterance.
   * @param meaning the meaning of the utterance as a reply to the open step
   */
  shouldAsk({ text, confidence }: Transcript, { step }: OpenQuestion, meaning: Interpretation): boolean {
    const lists = wordListLanguage(this.#readContext());
    const canBeAsked = NEXT_STATE[this.#state].doubt !== undefined && confidence >= this.#minConfidence;
    if (!canBeAsked || !mayHideOptOut(meaning, step.expect.kind, lists)) return false;
    if (lists !== null) return lists.mayForbidCalls(text);
    const words = wordsOf(text);
    // "Not sure, give me a call when he is in": the request for a call is no opt-out, so it is left out.
    const leaveRequest =
      meaning.kind === 'leaving' ? leaveRequestIn(words, { isFreeSpeech: false }) : undefined;
    // In English the language only has phrases that an operator has added.
    const isAddedPhrase = this.#readContext().language?.current.mayForbidCalls(text) ?? false;
    return (
      isAddedPhrase ||
      mayBeOptOut(
        leaveRequest ? [...words.slice(0, leaveRequest.start), ...words.slice(leaveRequest.end)] : words,
      )
    );
  }

  /** Marks the question as asked, and returns its outputs. */
  ask(): DialogueOutput[] {
    this.#apply('doubt');
    return optOutQuestion(this.#readContext());
  }

  /**
   * The caller has interrupted the previous turn. If it asked this question, and less than {@link UNDERSTOOD_SHARE} of
   * the words was played, the question counts as not heard.
   * @param said what was played of that turn
   */
  interrupted(said: string): void {
    const words = standardSentences(this.#readContext()).ask_do_not_call.split(' ');
    const understoodPart = words.slice(0, Math.ceil(words.length * UNDERSTOOD_SHARE)).join(' ');
    if (!said.trim().startsWith(understoodPart)) this.#apply('interruption');
  }

  /** The caller stays silent: the question is over, and the call continues with the open step. */
  silence(): void {
    this.#apply('silence');
  }

  /**
   * Reads the reply to the question, which is then over.
   * @param meaning the meaning of the reply as an answer to the open step
   */
  hear(heard: Transcript, { step }: OpenQuestion, meaning: Interpretation): OptOutAnswer {
    const wasHeard = this.#state === 'open';
    this.#apply('reply');
    return readOptOutAnswer(heard, {
      kind: step.expect.kind,
      meaning,
      wasHeard,
      readContext: this.#readContext(),
      minConfidence: this.#minConfidence,
    });
  }

  /** Returns a function that restores the present state. */
  bookmark(): () => void {
    const state = this.#state;
    return () => {
      this.#state = state;
    };
  }

  #apply(event: QuestionEvent): void {
    this.#state = NEXT_STATE[this.#state][event] ?? this.#state;
  }
}

/** The outputs of the question: its text, how to answer it, and hints for the recogniser. */
export function optOutQuestion(withLanguage: WithCallLanguage): DialogueOutput[] {
  const { ask_do_not_call: question, yes_or_no: howToAnswer } = standardSentences(withLanguage);
  const { kind, yes: phrases } = OPT_OUT_EXPECTATION;
  const hints = wordListLanguage(withLanguage) === null ? { kind, phrases } : { kind };
  return [
    { kind: 'say', text: question, interruptible: true },
    { kind: 'say', text: howToAnswer, interruptible: true },
    { kind: 'listen', hints },
  ];
}

/**
 * True for utterances that may hide an opt-out: not understood, a no, or a goodbye (also until later) without a time to
 * call again.
 */
function mayHideOptOut(
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
