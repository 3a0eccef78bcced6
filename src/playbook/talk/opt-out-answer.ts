import type { Transcript } from '#speech/stt.js';
import { bareYesNo, interpret, type Interpretation } from '#playbook/understanding/interpret.js';
import { isSaid, phrasings, spoken } from '#language/phrasing.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import type { Language } from '#language/languages/language.js';
import { listsOf, sentencesOf } from '#playbook/values/spoken-language.js';
import type { Surroundings } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';

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

const says = phrasings({
  calling: 'calling|ringing|phoning|contacting|calls',
  ours: '(my|our|this|the) (number|name|phone)',
});
/** A yes to the opt-out question only. Stricter than elsewhere, because an opt-out is permanent. */
const PLAIN_YES = says(
  "^(oh|well|um|uh|er|please|hell|my god|but|why|i said|for (heaven's|god's|goodness) sake)* " +
    '(1|yes|yeah|yep|yup|yea|yah|aye|sure|please|ok|okay|absolutely|definitely|certainly|of course|exactly|indeed|' +
    'correct|right|(damn|too|quite|that is) (right|correct)|(i|we) (do|would)|you bet|by all means|do (that|so|it))',
  ...OPT_OUT_EXPECTATION.yes,
);
/** Words that may accompany the yes. With any other words ("yes, you may call") the meaning is open. */
const SAID_WITH_IT = says(
  '(oh|well|um|uh|er|hell|my god|but|why|please|thanks|thank you|very much|sir|madam|goodbye|bye|i said|' +
    "for (heaven's|god's|goodness) sake|1|yes|yeah|yep|yup|yea|yah|aye|sure|ok|okay|absolutely|definitely|certainly|" +
    'of course|exactly|indeed|correct|right|(damn|too|quite|that is) (right|correct)|(i|we) (do|would)|you bet|' +
    'by all means|do [(that|so|it)]|never again|(i|we) have had enough|enough|already|just|really|now|at once|' +
    'immediately|forever|for (ever|good)|of (this|it|you)|no more [calls]|leave (me|us) alone|' +
    '(i|we) (want|would like) (that|it|you to)|stop [(it|that|this|<calling> [(me|us|here|it|<ours>)])]|' +
    '(remove|delete) [(me|us|it|<ours>)]|take (me|us|it|<ours>) off|(from|off) (your|the|this|that) lists?|' +
    '(your|the|that) lists?)',
);
/** A yes or no about calls answers the opt-out question and not the step. */
const OF_CALLS = says(
  '(keep|go on|continue|carry on|stop) [_] [(getting|receiving|having|taking)] [(the|your|these|those)] <calling>',
  '(want|like|mind|love|enjoy|welcome|appreciate|get|getting|receive|receiving|take|taking) [(the|your|these|those|to get|to receive)] (calls|<calling>)',
  '(be|being) (called|rung|phoned|contacted)',
);
/** A noisy line may add one misrecognised word. */
const MOST_MISHEARD = 1;

/** Kinds of questions whose answers do not occur by accident. */
const SURE_KINDS: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);
/** DTMF 1 and 2 mean yes and no here, even if the step expects a number. */
const YES_NO_KEY = /^\s*[12]\s*$/;
/** Meanings that do not answer the open step. */
const NOTHING_SAID: ReadonlySet<Interpretation['kind']> = new Set(['unclear', 'repeat', 'not_possible']);

/** The result of the opt-out question: no more calls, return to the open step, a goodbye, or an answer to that step. */
export type OptOutAnswer = 'do_not_call' | 'back' | 'goodbye' | 'of_the_step';

/** What reading the answer to the opt-out question needs. */
interface OptOutReading {
  /** The kind of answer that the waiting step expects. */
  kind: PlaybookExpectation['kind'];
  /** The meaning of the words as an answer to that step. */
  meaning: Interpretation;
  /** True if the question was played before the reply. */
  wasHeard: boolean;
  surroundings: Surroundings;
  /** Replies below this confidence (0 to 1) are not read. */
  minConfidence: number;
}

/** Reads the reply to the question whether the caller wants no more calls. */
export function readOptOutAnswer(heard: Transcript, reading: OptOutReading): OptOutAnswer {
  const { kind, meaning, wasHeard, surroundings, minConfidence } = reading;
  const lists = listsOf(surroundings);
  if (lists !== null) return readByLists(heard, lists, reading);
  const answer = interpret(heard, {
    ...surroundings,
    expectation: OPT_OUT_EXPECTATION,
    asked: sentencesOf(surroundings).ask_do_not_call,
    minConfidence,
  });
  const isOfTheStep = meaning.kind === 'answer' && SURE_KINDS.has(kind) && !YES_NO_KEY.test(heard.text);
  if (answer.kind === 'answer') {
    if (wasHeard && !isOfTheStep && answer.value === 'yes' && isPlainYes(heard.text)) return 'do_not_call';
    if (isOfTheStep) return 'of_the_step';
    if (answer.value === 'no') return answer.leaving ? 'goodbye' : 'back';
  }
  // To a question for a message any words are an answer, and a bare yes or no answers the opt-out question alone.
  if (meaning.kind === 'answer' && (kind === 'anything' || bareYesNo(heard.text) !== null)) return 'back';
  const isYesOrNo = meaning.kind === 'answer' && kind === 'yes_no' && !meaning.leaving;
  if (isYesOrNo && wasHeard && isSaid(OF_CALLS, spoken(wordsOf(heard.text)))) return 'back';
  return NOTHING_SAID.has(meaning.kind) ? 'back' : 'of_the_step';
}

/** How many words may accompany a yes that makes a permanent opt-out. */
const MOST_BESIDE_YES = 2;

function readByLists(
  { text, confidence }: Transcript,
  lists: Language,
  { kind, meaning, wasHeard, minConfidence }: OptOutReading,
): OptOutAnswer {
  if (confidence < minConfidence) return 'back';
  if (lists.forbidsCalls(text)) return 'do_not_call';
  if (meaning.kind === 'answer' && SURE_KINDS.has(kind) && !YES_NO_KEY.test(text)) return 'of_the_step';
  const answer = lists.answerIn(text);
  if (answer === 'yes' && wasHeard && lists.wordsBesideAnswer(text) <= MOST_BESIDE_YES) return 'do_not_call';
  if (answer === 'no') return 'leaving' in meaning && meaning.leaving === true ? 'goodbye' : 'back';
  const isMessage = meaning.kind === 'answer' && (kind === 'anything' || answer !== null);
  return isMessage || NOTHING_SAID.has(meaning.kind) ? 'back' : 'of_the_step';
}

function isPlainYes(text: string): boolean {
  const said = spoken(wordsOf(text));
  const rest = said.replace(SAID_WITH_IT, ' ').split(' ');
  return isSaid(PLAIN_YES, said) && rest.filter((word) => word !== '').length <= MOST_MISHEARD;
}
