import { wordsOf } from '#language/words.js';
import type { WordSpan } from '#language/ruled-out.js';

/*
 * Finds times in an answer that do not answer the question ("I get off at five", to "When shall we come?"). The readers
 * of dates and times leave them out. English only. Most patterns match the words before a time, and end at it.
 */

const SUBJECT = '(?:i|we|he|she|they|it|(?:my|the|our|his|her) [^ ]+)';
const ADVERBS =
  '(?: (?:usually|normally|always|generally|mostly|sometimes|often|only|just|actually|also|still|do not|have to|need to|must))*';
const HABIT_VERBS =
  '(?:get off|knock off|clock (?:off|out)|(?:finish|end|stop|start|begin|leave|close|open|shut)(?:e?s)?|(?:wake|get) up|' +
  '(?:go|get|come)(?:e?s)? (?:back )?(?:home|to (?:bed|work|church|school|sleep))|(?:pick|drop|collect|fetch)(?:s|es)?|' +
  '(?:eat|have)s? (?:my |our )?(?:lunch|dinner|supper|breakfast|tea)|take my [^ ]+|works?|sleeps?)';
/**
 * Up to four words between an activity and its time. "For" is excluded, because it names the wanted time; so are words
 * that begin a new clause.
 */
const UP_TO_THE_TIME =
  '(?: (?!for |to |until |till |so |but |then |and |or |if |is |would |can |could )[^ ]+){0,4}$';
/** Habits and timetables: "I get off at five", "the bus leaves at three". */
const HABIT = new RegExp(`(?:^| )${SUBJECT}${ADVERBS} ${HABIT_VERBS}${UP_TO_THE_TIME}`);
/**
 * Other engagements: "I'm having my hair done at ten", "my son is coming on Monday", "I have the hairdresser at
 * three".
 */
const ENGAGED = new RegExp(
  '(?:^| )(?:(?:i|we) (?:am|are) (?:having|seeing|meeting|visiting|playing|working|babysitting|travelling|flying|leaving)|' +
    '(?:he|she|they|(?:my|our) [^ ]+) (?:(?:is|are) (?:coming|visiting|leaving|arriving|away)|comes?|arrives?|visits?)|' +
    '(?:i|we) have (?:the|my) (?!appointment|booking|reservation|day|week|time|car|house|place|morning|afternoon|evening)[^ ]+|' +
    '(?:my|our|his|her|the) (?:birthday|anniversary|funeral|wedding|party|news|train|flight|bus|class|course|shift|exam|interview) ' +
    `(?:is|are)(?: on)?)${UP_TO_THE_TIME}`,
);
/** Words after a day that say it is taken: "[Monday] is my bridge day". */
const TAKEN_AFTER =
  /^is (?:my|our) (?!first|only|best|favourite|preferred|free)[^ ]+ (?:day|night|morning|afternoon|evening)(?: |$)/;
/** Past events: "I called on Monday", "she was there at three". */
const PAST = new RegExp(
  '(?:^| )(?:i|we|you|he|she|they|somebody|someone|(?:my|the|our|your) [^ ]+)(?: (?:already|just|only|first|last|also))* ' +
    '(?:died|saw|fell|met|visited|broke|called|rang|phoned|came|went|left|arrived|woke|tried|waited|wrote|emailed|spoke|talked|received|missed|' +
    `(?:was|were) (?:there|here|in|at|with|away|out|ill|sick))${UP_TO_THE_TIME}`,
);
/** Questions about habits, and questions about the past: their answers may be times of habits or of past events. */
const ASKS_ABOUT_HABITS =
  /\b(?:do|does) (?:you|he|she|they|(?:your|the) [^ ]+) (?!(?:want|need|prefer|like|wish|mind|have|suit|think)\b)/;
const ASKS_ABOUT_THE_PAST =
  /\b(?:did|was|were|has|have|had|happened|born|birth|birthday|last|since|date of)\b/;
/** Questions of the caller that choose no time: "do you have anything at three?", "did you say at three?" */
const ASKED_FOR =
  /(?:^| )(?:(?:do|would|could|can|might) you (?:still |maybe |also )?(?:have|got)|have you (?:still )?(?:got|have)|(?:is|was) there|are there)(?: still| maybe)? (?:anything|something|any|an? (?:slot|appointment|opening|space|place|table))(?: [^ ]+){0,4}$|(?:^| )did (?:you|i) (?:just )?(?:say|mean)(?: (?:on|at|the|for|that))*$/;
/** Words that a question and an unrelated activity may share by chance. */
const FUNCTION_WORDS = new Set(
  'i we he she they it my the our his her you your at on in about around do not have to is a an and what when which time day'.split(
    ' ',
  ),
);

/**
 * True if a time or day in an answer belongs to something other than the question: "I get off at five", to "At what
 * time shall we come?". Always false without a known question: any time may be the answer. `readDate` and `readTime`
 * filter their mentions with it.
 * @param words all words of the answer
 * @param mentions the places of all times (or days) in the answer
 * @param index the mention in question
 * @param asked the text of the question
 */
export function isUnrelatedTime(
  words: readonly string[],
  mentions: readonly WordSpan[],
  index: number,
  asked: string | null | undefined,
): boolean {
  const question = wordsOf(asked ?? '');
  if (question.length === 0) return false;
  const before = words.slice(mentions[index - 1]?.end ?? 0, mentions[index]!.start).join(' ');
  const askedText = question.join(' ');
  if (ASKED_FOR.test(before)) return true;
  if (PAST.test(before) && !ASKS_ABOUT_THE_PAST.test(askedText)) return true;
  const following = words.slice(mentions[index]!.end, mentions[index]!.end + 6).join(' ');
  if (TAKEN_AFTER.test(following)) return true;
  const activity = (HABIT.exec(before) ?? ENGAGED.exec(before))?.[0];
  return (
    activity !== undefined &&
    !ASKS_ABOUT_HABITS.test(askedText) &&
    !sharesWord(activity.trim().split(' '), question)
  );
}

/** True if activity and question have a word in common: "I start at nine" answers "When can you start?". */
function sharesWord(activityWords: readonly string[], question: readonly string[]): boolean {
  const stems = new Set(question.filter((word) => !FUNCTION_WORDS.has(word)).map(stemOf));
  return activityWords.some((word) => !FUNCTION_WORDS.has(word) && stems.has(stemOf(word)));
}

/** A word without its ending: "start" for "starts" and "starting". */
function stemOf(word: string): string {
  return word.replace(/(?:ing|e?s|ed|e)$/, '');
}

/** True if the question asks for a deadline, so that "by four" answers it. */
export function asksForDeadline(asked: string | null | undefined): boolean {
  return /\b(?:by (?:what|which|when)|latest|deadline|until|need|needs|needed|ready|due|finish|finished|deliver|delivered|back)\b/i.test(
    asked ?? '',
  );
}
