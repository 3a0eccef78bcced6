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
/** A yes to this question and no other: it counts for ever. */
const PLAIN_YES = says(
  "^(oh|well|um|uh|er|please|hell|my god|but|why|i said|for (heaven's|god's|goodness) sake)* " +
    '(1|yes|yeah|yep|yup|yea|yah|aye|sure|please|ok|okay|absolutely|definitely|certainly|of course|exactly|indeed|' +
    'correct|right|(damn|too|quite|that is) (right|correct)|(i|we) (do|would)|you bet|by all means|do (that|so|it))',
  ...OPT_OUT_EXPECTATION.yes,
);
/** What may be said with it; who goes on with anything else, as in "yes, you may call", may mean anything. */
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
/** Said of calls, a yes or no is one to this question and not to the step. */
const OF_CALLS = says(
  '(keep|go on|continue|carry on|stop) [_] [(getting|receiving|having|taking)] [(the|your|these|those)] <calling>',
  '(want|like|mind|love|enjoy|welcome|appreciate|get|getting|receive|receiving|take|taking) [(the|your|these|those|to get|to receive)] (calls|<calling>)',
  '(be|being) (called|rung|phoned|contacted)',
);
/** Of a noisy line a word too many may be heard. */
const MOST_MISHEARD = 1;

/** Questions whose answers nobody gives by accident. */
const SURE_KINDS: ReadonlySet<PlaybookExpectation['kind']> = new Set([
  'choice',
  'date',
  'time',
  'number',
  'phone_number',
]);
/** Keyed in, these are yes and no, also where the step would take a number. */
const YES_NO_KEY = /^\s*[12]\s*$/;
/** What leaves the open step as it was. */
const NOTHING_SAID: ReadonlySet<Interpretation['kind']> = new Set(['unclear', 'repeat', 'not_possible']);

/** What the answer comes to: no more calls, back to the open step, a goodbye, or words for that step. */
export type OptOutAnswer = 'do_not_call' | 'back' | 'goodbye' | 'of_the_step';

/** What has to be known to read the reply to whether no more calls are wanted. */
interface OptOutReading {
  /** What the step expects that waits. */
  kind: PlaybookExpectation['kind'];
  /** What the words mean to that step. */
  meaning: Interpretation;
  /** Whether the question was heard before the reply. */
  wasHeard: boolean;
  surroundings: Surroundings;
  /** Below this confidence (0 to 1) nothing is read into it. */
  minConfidence: number;
}

/** Reads the reply to whether no more calls are wanted. */
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
  // What was asked is no matter for a message, and a bare yes or no is none to the step.
  if (meaning.kind === 'answer' && (kind === 'anything' || bareYesNo(heard.text) !== null)) return 'back';
  const isYesOrNo = meaning.kind === 'answer' && kind === 'yes_no' && !meaning.leaving;
  if (isYesOrNo && wasHeard && isSaid(OF_CALLS, spoken(wordsOf(heard.text)))) return 'back';
  return NOTHING_SAID.has(meaning.kind) ? 'back' : 'of_the_step';
}

/** So many words may be said beside a yes that counts for ever. */
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
