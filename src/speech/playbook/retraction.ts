import { choiceTable } from './choice.js';
import type { PlaybookExpectation } from './playbook-expectation.js';
import { dayMentions } from './values/date-mentions.js';
import { NOT_POSSIBLE } from './values/not-possible.js';
import { spokenWords } from './values/spoken-words.js';
import { readValue, type Surroundings } from './values/value.js';
import { wordsOf } from './words.js';
import { readOwnPhrases, readYesNo } from './yes-no.js';

/** A question of yes or no that was answered before. */
export interface Settled {
  name: string;
  /** Its words. */
  asked: string;
  expectation: Extract<PlaybookExpectation, { kind: 'yes_no' }>;
  value: string;
  /** Whether no other question was answered after it. */
  isLast: boolean;
}

/** "Actually …", "sorry …", "I have changed my mind …": what follows is about something said before. */
const LEAD =
  /^(?:(?:oh|ah|aw|er|right|here|you know what|well|no|nope|yes|yeah|ok|okay|but|um|uh|hm|hmm|and|so|look|listen|sorry|i am (?:so |very )?sorry|wait|hold on|hang on|just|a|one|second|moment) )*(?:actually|wait|sorry|hold on|hang on|oh no|on second thoughts?|come to think of it|i (?:have )?changed my mind|i (?:have )?(?:just )?(?:remembered|realised|realized|noticed)|i forgot|scratch that|forget (?:it|that)|i meant|i am afraid|i made a mistake|unfortunately)(?![^ ])/;
/** "I can't come after all." */
const TRAIL = /(?:^| )(?:actually|after all|anymore|any more|any longer|on second thoughts?)$/;
/** Of coming to an appointment people speak in many words. */
const COMING =
  /\b(?:come|coming|came up|make it|be there|attend(?:ing)?|(?:show|turn) up|appointment|visit|cancel(?:ling)?|reschedule|postpone)\b/;
const CALLING_OFF =
  /(?<!\b(?:not|never)(?: \w+){0,3} )\b(?:cancel(?:ling)?|reschedule|postpone|call (?:it )?off|put (?:it )?off)\b/;
/** "I can't", "it won't": what is denied was asked before. */
const DENIES =
  /(?:^| )(?:i|we|it|that|this) (?:can|could|will|would|do|did|does|am|are|is) not(?:$| (?:want|going|able|do|it)\b)|\b(?:tomorrow|today|\w+day) (?:(?:does|will|is) (?:not|no)\b)/;
const COMES = /\b(?:come|coming|make it|be there|attend)\b/i;
/** "I can't come": of no other question than one about coming. */
const NOT_COMING = /\bnot\b(?: \w+){0,4} (?:come|coming|make it|be there|attend)\b/;
/** "I never forget an appointment", "I don't want a next visit". */
const OTHER_VISIT = /\b(?:never (?:forget|miss)|(?:next|another|other|second) (?:visit|appointment))\b/;
/** Of somebody else than who was asked. */
const OTHERS =
  /\b(?:he|she|they|who|(?:my|our|your) \w+) (?:can|could|will|would|do|does|did|is|are|has|have) not\b/;
/** Words of a question that say nothing about what it asks for. */
const FUNCTION_WORDS = new Set(
  (
    'a an the i you we he she it they me us my your our his her their this that these those is are am be was were been do ' +
    'does did done will would can could shall should may might must have has had to of in on at for with from by about and or ' +
    'but if so not no yes please still also any some there here now then ok okay right good like want need get go going take ' +
    'what when where who how why which hello thank thanks very just again all well sorry time talk moment minute'
  ).split(' '),
);
/** More words than that are a message. */
const LONGEST_IN_FREE_SPEECH_WORDS = 10;

/**
 * An answer to an earlier question of yes or no that is taken back in the midst of another one: "actually, I can't
 * come" to "Morning or afternoon?". Null when this is nothing of the kind.
 * @param settled the questions that were answered before, the last one first
 */
export function readRetraction(
  text: string,
  expectation: PlaybookExpectation,
  surroundings: Surroundings,
  settled: readonly Settled[],
): { name: string; value: string } | null {
  const words = wordsOf(text);
  const said = words.join(' ');
  const isOfAnother = OTHERS.test(said) || OTHER_VISIT.test(said);
  if (settled.length === 0 || isOfAnother || isAnswerNow(text, words, expectation, surroundings)) return null;
  const staysAway =
    NOT_COMING.test(said) && !COMES.test(surroundings.asked ?? '') && expectation.kind !== 'name';
  const hasLead = LEAD.test(said) || TRAIL.test(said);
  const isOfThisQuestion = isAbout(said, surroundings.asked ?? '');
  for (const question of settled) {
    const value = valueNow(words, question);
    if (value === null || value === question.value) continue;
    const isOwn = readOwnPhrases(words, question.expectation) !== null;
    const isOfThat = isOwn || isAbout(said, question.asked);
    const isMeant =
      expectation.kind === 'yes_no' || expectation.kind === 'anything'
        ? hasLead && isOfThat && !isOfThisQuestion
        : (hasLead && (isOfThat || (question.isLast && DENIES.test(said)))) ||
          isOwn ||
          (isOfThat && staysAway);
    if (isMeant) return { name: question.name, value };
  }
  return null;
}

/** Whether it answers, or speaks of, what is asked now. */
function isAnswerNow(
  text: string,
  words: readonly string[],
  expectation: PlaybookExpectation,
  surroundings: Surroundings,
): boolean {
  const { kind } = expectation;
  if (kind === 'yes_no') return readOwnPhrases(words, expectation) !== null;
  if (kind === 'anything') return words.length > LONGEST_IN_FREE_SPEECH_WORDS;
  if (kind === 'name') return false;
  if (kind === 'choice') return choiceTable(expectation.options).find(words).length > 0;
  const today = surroundings.now.startOf('day');
  if (kind === 'date' && dayMentions(spokenWords(text), { today, near: null }).length > 0) return true;
  const value = readValue(text, expectation, surroundings);
  return value !== null && value !== NOT_POSSIBLE;
}

function valueNow(words: readonly string[], { asked, expectation }: Settled): 'yes' | 'no' | null {
  const said = words.join(' ');
  const isCalledOff = CALLING_OFF.test(said) && COMING.test(wordsOf(asked).join(' '));
  return readOwnPhrases(words, expectation) ?? (isCalledOff ? 'no' : readYesNo(words, expectation, asked));
}

function isAbout(said: string, asked: string): boolean {
  const question = wordsOf(asked);
  if (COMING.test(said) && COMING.test(question.join(' '))) return true;
  const words = new Set(said.split(' '));
  return question.some((word) => !FUNCTION_WORDS.has(word) && words.has(word));
}
