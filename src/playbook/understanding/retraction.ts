import { phrasingCompiler, matches, toMatchText } from '#language/phrasing.js';
import { choiceTable } from '#playbook/answers/choice.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { dayMentions } from '#playbook/values/dates/date-mentions.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { spokenWords } from '#language/spoken-words.js';
import { readValue, type ReadContext } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';
import { readOwnPhrases, readYesNo } from '#playbook/answers/yes-no.js';

/** The answer to an earlier yes/no question, which the caller may take back. */
export interface RetractableAnswer {
  /** The name of the step. */
  name: string;
  /** The text of the question. */
  asked: string;
  expectation: Extract<PlaybookExpectation, { kind: 'yes_no' }>;
  /** The answer: `yes`, `no` or `unsure`. */
  value: string;
  /** True if no other question was answered after it. */
  isLast: boolean;
}

/** Compiles patterns with these classes of words; `language/phrasing.ts` explains the notation. */
const compile = phrasingCompiler({
  /** Opening words while a speaker thinks. */
  well:
    'oh|ah|aw|er|actually|right|here|you know what|well|no|nope|yes|yeah|ok|okay|but|um|uh|hm|hmm|and|so|look|listen|sorry|' +
    'i am [so|very] sorry|wait|hold on|hang on|just|a|one|second|moment',
  coming: 'come|coming|make it|be there|attend|attending',
  call_off: 'cancel|cancelling|canceling|reschedule|postpone|(call|put) [it] off',
  cannot: '(can|could|will|would|do|did|does|am|are|is) not',
  subject: '(i|we|it|that|this)',
});

/** Words at the beginning that refer to an earlier answer: "actually …", "sorry …", "I have changed my mind …". */
const LEAD = compile(
  '^ <well>* (actually|wait|sorry|hold on|hang on|oh no|on second thoughts?|come to think of it|' +
    'i [have] changed my mind|i [have] [just] (remembered|realised|realized|noticed)|i forgot|scratch that|' +
    'forget (it|that)|i take (it|that) back|i meant|i am afraid|[my|i made a] mistake|unfortunately)',
);
/** Utterances that only say that the earlier answer was wrong, so that its opposite is meant: "I changed my mind". */
const CHANGED_MIND = compile(
  '^ <well>* i ([have] [just] changed my mind|take (it|that) back) (about (it|that)|sorry|actually|please)* $',
);
/** Statements that a yes was meant as a no: "I said yes but I meant no", "I should have said no". */
const MEANT_NO = compile(
  'i said (yes|yeah|okay) [_] [_] i (meant|mean|should have said) [to say] no',
  'i (should have said|meant to say) no',
  'i should not have said yes',
);
/** Words about coming to an appointment, in an utterance or in a question. */
const COMING = compile('<coming>|came up|(show|turn) up|appointment|visit|<call_off>');
/** Statements of callers who do not come, for questions whether they come: "I can't come". */
const NOT_COMING = compile('not [_] [_] [_] [_] <coming>');
/** Words for cancelling or moving an appointment. */
const CALLING_OFF = compile('<call_off>');
/** The same words denied: "I don't want to cancel". */
const NOT_CALLING_OFF = compile('(not|never) [_] [_] [_] <call_off>');
/** Denials without a verb of their own, which refer to an earlier question: "I can't", "it won't". */
const DENIES = compile(
  '<subject> <cannot> ($|want|going|able|do|it)',
  '(today|tomorrow|monday|tuesday|wednesday|thursday|friday|saturday|sunday) (does|will|is) (not|no)',
);
/** Statements about other visits: "I never forget an appointment", "I don't want a next visit". */
const OTHER_VISIT = compile('never (forget|miss)', '(next|another|other|second) (visit|appointment)');
/** Statements about other people than the caller: "my wife can't". */
const OTHERS = compile('(he|she|they|who|(my|our|your) _) (<cannot>|(has|have) not)');

/** Words that do not show what a question or an utterance is about. */
const FUNCTION_WORDS = new Set(
  (
    'a an the i you we he she it they me us my your our his her their this that these those is are am be was were been do ' +
    'does did done will would can could shall should may might must have has had to of in on at for with from by about and or ' +
    'but if so not no yes please still also any some there here now then ok okay right good like want need get go going take ' +
    'what when where who how why which hello thank thanks very just again all well sorry time talk moment minute'
  ).split(' '),
);
/** A longer utterance in free speech is a message. */
const LONGEST_IN_FREE_SPEECH_WORDS = 10;

/**
 * Reads in English the retraction of an earlier yes/no answer during another question: "actually, I can't come" to
 * "Morning or afternoon?". `interpret` calls it.
 * @param expectation what the present question expects
 * @param retractable the earlier answers, the last one first
 * @returns the name of the earlier question and its new answer; null if the utterance takes nothing back
 */
export function readRetraction(
  text: string,
  expectation: PlaybookExpectation,
  readContext: ReadContext,
  retractable: readonly RetractableAnswer[],
): { name: string; value: string } | null {
  const words = wordsOf(text);
  const said = toMatchText(words);
  const isAboutOthers = matches(OTHERS, said) || matches(OTHER_VISIT, said);
  if (
    retractable.length === 0 ||
    isAboutOthers ||
    answersPresentQuestion(text, words, expectation, readContext)
  )
    return null;
  const lastYes = retractable.find((question) => question.isLast && question.value === 'yes');
  if (lastYes && (matches(CHANGED_MIND, said) || matches(MEANT_NO, said)))
    return { name: lastYes.name, value: 'no' };
  const asked = toMatchText(wordsOf(readContext.asked ?? ''));
  const staysAway = matches(NOT_COMING, said) && expectation.kind !== 'name';
  const hasLead = matches(LEAD, said);
  const isAboutThisQuestion = isAbout(said, asked);
  for (const question of retractable) {
    const value = newValueOf(words, question, readContext.callee);
    if (value === null || value === question.value) continue;
    const usesOwnPhrase = readOwnPhrases(words, question.expectation) !== null;
    const isAboutThatQuestion = usesOwnPhrase || isAbout(said, toMatchText(wordsOf(question.asked)));
    // Almost any words answer a yes/no or open question, so there a retraction needs a lead ("actually …") and another
    // subject. At other questions a phrase of the earlier question, or "I can't come", is enough.
    const isMeant =
      expectation.kind === 'yes_no' || expectation.kind === 'anything'
        ? hasLead && isAboutThatQuestion && !isAboutThisQuestion
        : (hasLead && (isAboutThatQuestion || (question.isLast && matches(DENIES, said)))) ||
          usesOwnPhrase ||
          (isAboutThatQuestion && staysAway);
    if (isMeant) return { name: question.name, value };
  }
  return null;
}

/** True if an utterance answers the present question, so that it takes nothing back. */
function answersPresentQuestion(
  text: string,
  words: readonly string[],
  expectation: PlaybookExpectation,
  readContext: ReadContext,
): boolean {
  const { kind } = expectation;
  if (kind === 'yes_no') return readOwnPhrases(words, expectation) !== null;
  if (kind === 'anything') return words.length > LONGEST_IN_FREE_SPEECH_WORDS;
  if (kind === 'name') return false;
  if (kind === 'choice') return choiceTable(expectation.options).find(words).length > 0;
  const today = readContext.now.startOf('day');
  if (kind === 'date' && dayMentions(spokenWords(text), { today, near: null }).length > 0) return true;
  const value = readValue(text, expectation, readContext);
  return value !== null && value !== NOT_POSSIBLE;
}

/** The answer to an earlier question that the utterance would give now; null for none. */
function newValueOf(
  words: readonly string[],
  { asked, expectation }: RetractableAnswer,
  callee?: string | null,
): 'yes' | 'no' | null {
  const said = toMatchText(words);
  const callsOff = matches(CALLING_OFF, said) && !matches(NOT_CALLING_OFF, said);
  const asksAboutComing = matches(COMING, toMatchText(wordsOf(asked)));
  const byRules = callsOff && asksAboutComing ? 'no' : readYesNo(words, expectation, asked, callee);
  return readOwnPhrases(words, expectation) ?? byRules;
}

/** True if an utterance and a question have a subject in common. Both are in the form of `toMatchText`. */
function isAbout(said: string, asked: string): boolean {
  if (matches(COMING, said) && matches(COMING, asked)) return true;
  const words = new Set(said.split(' '));
  return asked.split(' ').some((word) => word !== '' && !FUNCTION_WORDS.has(word) && words.has(word));
}
