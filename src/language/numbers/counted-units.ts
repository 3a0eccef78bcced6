import { wordsOf } from '#language/words.js';
import { unitOf } from './two-part-numbers.js';

/*
 * Distinguishes numbers that answer a question from numbers that count something else: "three times", to "How many
 * guests?". `readNumber` ignores the latter. English only.
 */

/** Units that numbers count; all forms map to the first word of their line. */
const UNITS: ReadonlyMap<string, string> = new Map(
  [
    'minute minutes min mins',
    'hour hours',
    'day days',
    'night nights',
    'week weeks',
    'month months',
    'year years',
    'time times',
    'percent percentage',
    'dollar dollars bucks',
    'euro euros',
    'cent cents',
    'instalment instalments installment installments',
    'mile miles',
    'kilometre kilometres kilometer kilometers',
    'couples',
    'family families',
    'generation generations',
    'oclock am pm',
  ].flatMap((words) => words.split(' ').map((word, _index, [unit]) => [word, unit!] as const)),
);
/** Words that are a number and its unit in one. */
const UNITS_OF_ONE: ReadonlyMap<string, string> = new Map([
  ['once', 'time'],
  ['twice', 'time'],
]);
/** Questions that count times: "how often?" */
const ASKS_HOW_OFTEN = /\bhow often\b|\bhow frequently\b/;
/** Words for people after a number. */
const PEOPLE = /^(?:of (?:us|them|you)|people|persons?|guests?|adults?|kids?|children)(?: |$)/;
/**
 * Questions to which a number of people is an answer: they ask for people, for things of which each person has one
 * ("how many seats?"), or for no named thing ("how many will you be?").
 */
const AS_MANY_AS_PEOPLE =
  /\bhow many (?:people|persons?|guests|adults|kids|children|seats?|tickets?|places|covers|meals|menus|chairs|beds|visitors|participants|attendees|players|passengers|travell?ers|of|will|would|are|is|do|shall|should|can|in|for|at|you|members)\b/;
/** Questions for a rating, to which a number with a unit is only a reason for the rating: "I waited two hours". */
const ON_A_SCALE =
  /\bon a scale\b|\bfrom (?:zero|one|0|1) to (?:five|seven|ten|5|7|10)\b|\b(?:rate|rating|score)\b/;
/** Questions for an amount, whose unit they may name. */
const HOW_MANY = /\bhow (?:many [^ ]+|old|often|long|much)\b/;

/** Words before an age: "I'm eighty two". */
const AGE_BEFORE = /(?:^| )i am(?: already| over| nearly| almost)?$/;
const MONEY_UNITS = new Set(['dollar', 'euro', 'cent']);

/** Words before a number that labels a thing: "my flat is number three", "the bus is on line five". */
const LABELLED =
  /(?:^| )(?:my|our|the|his|her) (flat|apartment|room|house|door|floor|unit|suite|gate|platform|bus|line)(?: is| was)?(?: (?:on|at|in|the|number|line))*$/;

/** True if a number labels a thing, or counts instalments, while the question does not mention them. */
function belongsToAnotherThing(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  questionText: string,
): boolean {
  if (/^instal?lments?$/.test(words[end] ?? '')) return !/\binstal?lments?\b/.test(questionText);
  const labelled = LABELLED.exec(words.slice(0, start).join(' '))?.[1];
  return labelled !== undefined && !questionText.split(' ').includes(labelled);
}

/** True for a statement about an earlier time: "last year we were ten". */
function isOfAnotherTime(words: readonly string[]): boolean {
  const said = words.join(' ');
  return /\blast (?:year|time|month|week)\b/.test(said) && /\b(?:was|were|had)\b/.test(said);
}

/**
 * True if a number counts something that the question does not ask for: "three times", to "How many guests?".
 * Always false if the question is unknown.
 * @param asked the text of the question
 */
export function countsAnotherThing(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked: string | null | undefined,
): boolean {
  const question = wordsOf(asked ?? '');
  const questionText = question.join(' ');
  if (question.length > 0 && belongsToAnotherThing(words, { start, end }, questionText)) return true;
  const unit = UNITS_OF_ONE.get(words[start]!) ?? UNITS.get(words[end] ?? '');
  if (ON_A_SCALE.test(questionText)) return unit !== undefined;
  if (!HOW_MANY.test(questionText)) return false;
  const before = words.slice(0, start).join(' ');
  const following = words.slice(end, end + 3).join(' ');
  // "I'm eighty two" is an age, and "last year we were ten" is over.
  if (/\bhow many\b/.test(questionText) && AGE_BEFORE.test(before)) return true;
  if (isOfAnotherTime(words) && !/\blast\b/.test(questionText)) return true;
  if (PEOPLE.test(following) && !AS_MANY_AS_PEOPLE.test(questionText)) return true;
  if (unit === undefined) return false;
  const isAskedCountOfTimes = unit === 'time' && ASKS_HOW_OFTEN.test(questionText);
  // The units that the question names.
  const askedUnits = new Set(question.flatMap((word) => UNITS.get(word) ?? []));
  if (unitOf(asked) === 'money' && askedUnits.size === 0) return !MONEY_UNITS.has(unit);
  // "How long?", "how much?" name no unit: every unit but the time of day is an answer.
  if (askedUnits.size === 0 && !/\bhow many\b/.test(questionText)) return unit === 'oclock';
  return !isAskedCountOfTimes && !askedUnits.has(unit);
}
