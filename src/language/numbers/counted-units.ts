import { wordsOf } from '#language/words.js';
import { unitOf } from './two-part-numbers.js';

/** Units that are counted with numbers; all forms map to the first word of their line. */
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
const UNITS_OF_ONE: ReadonlyMap<string, string> = new Map([
  ['once', 'time'],
  ['twice', 'time'],
]);
/** "How often?" counts times, "how long" any span of time. */
const ASKS_OF_TIMES = /\bhow often\b|\bhow frequently\b/;
const PEOPLE = /^(?:of (?:us|them|you)|people|persons?|guests?|adults?|kids?|children)(?: |$)/;
/**
 * Things of which each person has one, or questions that name nothing countable: the number of people is the answer.
 */
const AS_MANY_AS_PEOPLE =
  /\bhow many (?:people|persons?|guests|adults|kids|children|seats?|tickets?|places|covers|meals|menus|chairs|beds|visitors|participants|attendees|players|passengers|travell?ers|of|will|would|are|is|do|shall|should|can|in|for|at|you|members)\b/;
/** "Two hours", as the answer to a rating question, is only its reason. */
const ON_A_SCALE =
  /\bon a scale\b|\bfrom (?:zero|one|0|1) to (?:five|seven|ten|5|7|10)\b|\b(?:rate|rating|score)\b/;
const HOW_MANY = /\bhow (?:many [^ ]+|old|often|long|much)\b/;

/** "I'm eighty two": an age. */
const OLD = /(?:^| )i am(?: already| over| nearly| almost)?$/;
const MONEY_UNITS = new Set(['dollar', 'euro', 'cent']);

/** "My flat is number three", "the bus is on line five": a number as a label. */
const LABELLED =
  /(?:^| )(?:my|our|the|his|her) (flat|apartment|room|house|door|floor|unit|suite|gate|platform|bus|line)(?: is| was)?(?: (?:on|at|in|the|number|line))*$/;

/** True if a number labels a thing, or counts instalments, that the question does not mention. */
function isOfSomethingElse(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  said: string,
): boolean {
  if (/^instal?lments?$/.test(words[end] ?? '')) return !/\binstal?lments?\b/.test(said);
  const thing = LABELLED.exec(words.slice(0, start).join(' '))?.[1];
  return thing !== undefined && !said.split(' ').includes(thing);
}

/** "Last year we were ten": another time. */
function isOfBefore(words: readonly string[]): boolean {
  const said = words.join(' ');
  return /\blast (?:year|time|month|week)\b/.test(said) && /\b(?:was|were|had)\b/.test(said);
}

/** True if a number counts something that the question does not ask for: "three times", to "How many guests?". */
export function countsOther(
  words: readonly string[],
  { start, end }: { start: number; end: number },
  asked: string | null | undefined,
): boolean {
  const question = wordsOf(asked ?? '');
  const said = question.join(' ');
  if (question.length > 0 && isOfSomethingElse(words, { start, end }, said)) return true;
  const unit = UNITS_OF_ONE.get(words[start]!) ?? UNITS.get(words[end] ?? '');
  if (ON_A_SCALE.test(said)) return unit !== undefined;
  if (!HOW_MANY.test(said)) return false;
  const before = words.slice(0, start).join(' ');
  const behind = words.slice(end, end + 3).join(' ');
  if (/\bhow many\b/.test(said) && OLD.test(before)) return true;
  if (isOfBefore(words) && !/\blast\b/.test(said)) return true;
  if (PEOPLE.test(behind) && !AS_MANY_AS_PEOPLE.test(said)) return true;
  if (unit === undefined) return false;
  const isOfTimes = unit === 'time' && ASKS_OF_TIMES.test(said);
  const units = new Set(question.flatMap((word) => UNITS.get(word) ?? []));
  if (unitOf(asked) === 'money' && units.size === 0) return !MONEY_UNITS.has(unit);
  // "How long?", "how much?" name no unit: every unit but the time of day is an answer.
  if (units.size === 0 && !/\bhow many\b/.test(said)) return unit === 'oclock';
  return !isOfTimes && !units.has(unit);
}
