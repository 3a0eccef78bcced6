import { choiceTable } from '#playbook/answers/choice.js';
import type { PlaybookExpectation } from '#playbook/steps/playbook-expectation.js';
import { isSaid, spoken } from '#language/phrasing.js';
import {
  CALLING_OFF,
  CHANGED_MIND,
  COMES,
  COMING,
  DENIES,
  LEAD,
  MEANT_NO,
  NOT_CALLING_OFF,
  NOT_COMING,
  OTHERS,
  OTHER_VISIT,
  TRAIL,
} from './retraction-ways.js';
import { dayMentions } from '#playbook/values/dates/date-mentions.js';
import { NOT_POSSIBLE } from '#language/not-possible.js';
import { spokenWords } from '#language/spoken-words.js';
import { readValue, type Surroundings } from '#playbook/values/value.js';
import { wordsOf } from '#language/words.js';
import { readOwnPhrases, readYesNo } from '#playbook/answers/yes-no.js';

/** A yes/no question that was answered before. */
export interface Settled {
  name: string;
  /** The text of the question. */
  asked: string;
  expectation: Extract<PlaybookExpectation, { kind: 'yes_no' }>;
  value: string;
  /** True if no other question was answered after it. */
  isLast: boolean;
}

/** Words that do not show what a question is about. */
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
 * Reads the retraction of an earlier yes/no answer during another question: "actually, I can't come" to "Morning or
 * afternoon?". Null if it is none.
 * @param settled the questions answered before, the last one first
 */
export function readRetraction(
  text: string,
  expectation: PlaybookExpectation,
  surroundings: Surroundings,
  settled: readonly Settled[],
): { name: string; value: string } | null {
  const words = wordsOf(text);
  const said = spoken(words);
  const isOfAnother = isSaid(OTHERS, said) || isSaid(OTHER_VISIT, said);
  if (settled.length === 0 || isOfAnother || isAnswerNow(text, words, expectation, surroundings)) return null;
  const whole = settled.find((question) => question.isLast && question.value === 'yes');
  if (whole && (isSaid(CHANGED_MIND, said) || isSaid(MEANT_NO, said)))
    return { name: whole.name, value: 'no' };
  const asked = spoken(wordsOf(surroundings.asked ?? ''));
  const staysAway = isSaid(NOT_COMING, said) && !isSaid(COMES, asked) && expectation.kind !== 'name';
  const hasLead = isSaid(LEAD, said) || isSaid(TRAIL, said);
  const isOfThisQuestion = isAbout(said, asked);
  for (const question of settled) {
    const value = valueNow(words, question, surroundings.called);
    if (value === null || value === question.value) continue;
    const isOwn = readOwnPhrases(words, question.expectation) !== null;
    const isOfThat = isOwn || isAbout(said, spoken(wordsOf(question.asked)));
    const isMeant =
      expectation.kind === 'yes_no' || expectation.kind === 'anything'
        ? hasLead && isOfThat && !isOfThisQuestion
        : (hasLead && (isOfThat || (question.isLast && isSaid(DENIES, said)))) ||
          isOwn ||
          (isOfThat && staysAway);
    if (isMeant) return { name: question.name, value };
  }
  return null;
}

/** True if an utterance answers or concerns the present question. */
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

function valueNow(
  words: readonly string[],
  { asked, expectation }: Settled,
  called?: string | null,
): 'yes' | 'no' | null {
  const said = spoken(words);
  const isCalledOff = isSaid(CALLING_OFF, said) && !isSaid(NOT_CALLING_OFF, said);
  const isOfComing = isSaid(COMING, spoken(wordsOf(asked)));
  const general = isCalledOff && isOfComing ? 'no' : readYesNo(words, expectation, asked, called);
  return readOwnPhrases(words, expectation) ?? general;
}

/** Both texts in the form of `spoken`. */
function isAbout(said: string, asked: string): boolean {
  if (isSaid(COMING, said) && isSaid(COMING, asked)) return true;
  const words = new Set(said.split(' '));
  return asked.split(' ').some((word) => word !== '' && !FUNCTION_WORDS.has(word) && words.has(word));
}
