import type { Transcript } from '#speech/stt.js';
import { bareYesNo, interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { matches, phrasingCompiler, toMatchText } from '#language/phrasing.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import type { Language } from '#language/languages/language.js';
import { wordListLanguage, standardSentences } from '#playbook/values/spoken-language.js';
import type { ReadContext } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';

/*
 * Reads the reply to the question whether the caller wants no more calls ("Do you want us to stop calling this
 * number?"). An opt-out is permanent, so only a plain yes counts, or words such as "never again".
 */

/** The expected answer to the opt-out question. */
export const OPT_OUT_EXPECTATION = {
  kind: 'yes_no',
  yes: [
    'stop',
    'no more',
    'never again',
    'enough',
    'remove',
    'delete',
    'take me off',
    'take us off',
    'leave me alone',
  ],
  no: ['never mind', 'keep calling', 'go on'],
} satisfies PlaybookExpectation;

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  calling: 'calling|ringing|phoning|contacting|calls',
  ours: '(my|our|this|the) (number|name|phone)',
});
/** A yes to the opt-out question, at the beginning of the reply, or a phrase such as "never again". */
const YES_TO_OPT_OUT = compile(
  "^(oh|well|um|uh|er|please|hell|my god|but|why|i said|for (heaven's|god's|goodness) sake)* " +
    '(1|yes|yeah|yep|yup|yea|yah|aye|sure|please|ok|okay|absolutely|definitely|certainly|of course|exactly|indeed|' +
    'correct|right|(damn|too|quite|that is) (right|correct)|(i|we) (do|would)|you bet|by all means|do (that|so|it))',
  ...OPT_OUT_EXPECTATION.yes,
);
/** Words that may accompany the yes. With several other words ("yes, you may call") the meaning is open. */
const BESIDE_THE_YES = compile(
  '(oh|well|um|uh|er|hell|my god|but|why|please|thanks|thank you|very much|sir|madam|goodbye|bye|i said|' +
    "for (heaven's|god's|goodness) sake|1|yes|yeah|yep|yup|yea|yah|aye|sure|ok|okay|absolutely|definitely|certainly|" +
    'of course|exactly|indeed|correct|right|(damn|too|quite|that is) (right|correct)|(i|we) (do|would)|you bet|' +
    'by all means|do [(that|so|it)]|never again|(i|we) have had enough|enough|already|just|really|now|at once|' +
    'immediately|forever|for (ever|good)|of (this|it|you)|no more [calls]|leave (me|us) alone|' +
    '(i|we) (want|would like) (that|it|you to)|stop [(it|that|this|<calling> [(me|us|here|it|<ours>)])]|' +
    '(remove|delete) [(me|us|it|<ours>)]|take (me|us|it|<ours>) off|(from|off) (your|the|this|that) lists?|' +
    '(your|the|that) lists?)',
);
/** Words about calls: with them, a yes or no answers the opt-out question and not the open step. */
const ABOUT_CALLS = compile(
  '(keep|go on|continue|carry on|stop) [_] [(getting|receiving|having|taking)] [(the|your|these|those)] <calling>',
  '(want|like|mind|love|enjoy|welcome|appreciate|get|getting|receive|receiving|take|taking) [(the|your|these|those|to get|to receive)] (calls|<calling>)',
  '(be|being) (called|rung|phoned|contacted)',
);
/** The most other words in a plain yes in English: a noisy line may add one. */
const MAX_MISHEARD_WORDS = 1;

/** Kinds of answers that do not occur by accident. */
const SURE_KINDS: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);
/** The DTMF keys 1 and 2, which mean yes and no here even if the open step expects a number. */
const YES_NO_KEY = /^\s*[12]\s*$/;
/** Meanings that are no reply to the open step. */
const NO_ANSWER: ReadonlySet<Interpretation['kind']> = new Set(['unclear', 'repeat', 'not_possible']);

/**
 * The result of the opt-out question. `do_not_call`: the caller wants no more calls. `back`: the open step is asked
 * again. `goodbye`: the caller ends the call. `of_the_step`: the reply answers the open step instead.
 */
export type OptOutAnswer = 'do_not_call' | 'back' | 'goodbye' | 'of_the_step';

/** The context of the reply, on which its meaning depends. */
interface OptOutReading {
  /** The kind of answer that the open step expects. */
  kind: PlaybookExpectation['kind'];
  /** The meaning of the reply as an answer to the open step. */
  meaning: Interpretation;
  /** True if the caller heard the question; otherwise a yes is no opt-out. */
  wasHeard: boolean;
  readContext: ReadContext;
  /** Replies below this confidence (0 to 1) are not read. */
  minConfidence: number;
}

/** Reads the reply to the opt-out question. `OptOutQuestion` calls it. */
export function readOptOutAnswer(heard: Transcript, reading: OptOutReading): OptOutAnswer {
  const { kind, meaning, wasHeard, readContext, minConfidence } = reading;
  const lists = wordListLanguage(readContext);
  if (lists !== null) return readByLists(heard, lists, reading);
  const answer = interpret(heard, {
    ...readContext,
    expectation: OPT_OUT_EXPECTATION,
    asked: standardSentences(readContext).ask_do_not_call,
    minConfidence,
  });
  const isOfTheStep = meaning.kind === 'answer' && SURE_KINDS.has(kind) && !YES_NO_KEY.test(heard.text);
  if (answer.kind === 'answer') {
    if (wasHeard && !isOfTheStep && answer.value === 'yes' && isPlainYes(heard.text)) return 'do_not_call';
    if (isOfTheStep) return 'of_the_step';
    if (answer.value === 'no') return answer.leaving ? 'goodbye' : 'back';
  }
  // Any words answer an open step that takes a message, and a bare yes or no may answer either question: the step is
  // asked again.
  if (meaning.kind === 'answer' && (kind === 'anything' || bareYesNo(heard.text) !== null)) return 'back';
  const isYesOrNo = meaning.kind === 'answer' && kind === 'yes_no' && !meaning.leaving;
  if (isYesOrNo && wasHeard && matches(ABOUT_CALLS, toMatchText(wordsOf(heard.text)))) return 'back';
  return NO_ANSWER.has(meaning.kind) ? 'back' : 'of_the_step';
}

/** The most other words beside a yes that counts as an opt-out, in languages that are read by word lists. */
const MAX_WORDS_BESIDE_YES = 2;

/** Reads the reply by the word lists of a language other than English. */
function readByLists(
  { text, confidence }: Transcript,
  lists: Language,
  { kind, meaning, wasHeard, minConfidence }: OptOutReading,
): OptOutAnswer {
  if (confidence < minConfidence) return 'back';
  if (lists.forbidsCalls(text)) return 'do_not_call';
  if (meaning.kind === 'answer' && SURE_KINDS.has(kind) && !YES_NO_KEY.test(text)) return 'of_the_step';
  const answer = lists.answerIn(text);
  if (answer === 'yes' && wasHeard && lists.wordsBesideAnswer(text) <= MAX_WORDS_BESIDE_YES)
    return 'do_not_call';
  if (answer === 'no') return 'leaving' in meaning && meaning.leaving === true ? 'goodbye' : 'back';
  // As in English: words that may answer either question answer neither.
  const mayAnswerBoth = meaning.kind === 'answer' && (kind === 'anything' || answer !== null);
  return mayAnswerBoth || NO_ANSWER.has(meaning.kind) ? 'back' : 'of_the_step';
}

/** True if the reply is a yes to the opt-out question, with at most one other word. */
function isPlainYes(text: string): boolean {
  const said = toMatchText(wordsOf(text));
  const rest = said.replace(BESIDE_THE_YES, ' ').split(' ');
  return matches(YES_TO_OPT_OUT, said) && rest.filter((word) => word !== '').length <= MAX_MISHEARD_WORDS;
}
