import { countsAnotherThing } from './counted-units.js';
import { lastCorrection, resolveMentions, sharedMention, type Mention } from '#language/mentions.js';
import { isDifference } from './number-differences.js';
import { digitOf, numberAt, smallNumberAt, REPEAT_WORDS, yearAt } from './number-words.js';
import { fractionAt, fractionWithoutNumber, applyScale } from './fractions.js';
import { spokenWords } from '#language/spoken-words.js';
import { moneyAt, twoPartAt, type NumberReading } from './two-part-numbers.js';

/** Words before "one" that make it no number: "that one", "no one". */
const NO_NUMBER_BEFORE_ONE = /^(?:that|this|which|no|any|the|some|every|first|last|other|another)$/;
/** Words that stand for a number. */
const NUMBER_LIKE: ReadonlyMap<string, number> = new Map([
  ['none', 0],
  ['nil', 0],
  ['nobody', 0],
  ['couple', 2],
  ['pair', 2],
  ['dozen', 12],
  ['twice', 2],
  ['once', 1],
]);
/** The scale of a rating, whose numbers are no answer: "on a scale of one to ten", "from one to ten". */
const SCALE =
  /(?:(?:^| )(?:on|from|of) a scale)?(?:^| )(?:of|from) (?:zero|one|0|1) (?:to|through) (?:five|six|seven|ten|hundred|a hundred|one hundred|5|6|7|10|100)(?= |$)/g;

/**
 * Reads the answer to a question for a number, in English: "about two and a half, I think" is 2.5. Null if the text
 * contains no number, or if several remain possible. The playbook calls it by `readValue`, which checks the limits of
 * the question; `end-of-turn.ts` asks it whether a number may have further digits.
 * @param reading what is known of the asked number: with `max` 10, "five, five" is five; by `unit`, "nineteen ninety"
 *   is a year or an amount of money
 */
export function readNumber(text: string, reading: NumberReading = {}): number | null {
  // A fraction of a usual scale is a rating ("9/10" is nine); other fractions are no whole number ("3/4").
  const plain = text.replace(/(\d)\s*\/\s*(?:5|10|100)\b/g, '$1').replace(/\d+\s*\/\s*\d+/g, ' ');
  const words = spokenWords(plain).join(' ').replace(SCALE, ' ').split(' ');
  const mentions: Mention<number | null>[] = [];
  for (let index = 0; index < words.length; index += 1) {
    // In "eight out of ten" and "eight of ten", ten is the scale: it is skipped.
    const isOf = words[index] === 'of' && words[index - 1] !== 'instead';
    const scale = isOf ? mentionAt(words, index + 1, reading) : null;
    const isOutOfScale = isOf && (words[index - 1] === 'out' || scale !== null);
    if (isOutOfScale && mentions.length > 0) {
      if (scale === null || !isFrequency(words, scale, reading)) break;
      mentions.pop();
      index = scale.end - 1;
      continue;
    }
    // "Out of ten, eight": a scale without a number before it is skipped, too.
    if (isOf && words[index - 1] === 'out') {
      index = (scale?.end ?? index + 1) - 1;
      continue;
    }
    const mention = mentionAt(words, index, reading);
    if (!mention) continue;
    // A difference ("one more") has no value as an answer, but takes part as a mention.
    mentions.push(isDifference(words, mention, reading.asked) ? { ...mention, value: null } : mention);
    index = mention.end - 1;
  }
  const candidates = withoutOtherCounts(words, withoutTimesOfDay(words, mentions), reading);
  return resolveMentions(words, candidates, (considered) => soleNumber(words, considered))?.value ?? null;
}

/** Words for occasions, which a frequency counts. */
const OCCASIONS =
  /^(?:times|visits|cases|calls|days|nights|weeks|months|appointments|occasions|orders|deliveries|meals|people)$/;

/** True if "two out of three visits" is a frequency instead of a value on the question's scale. */
function isFrequency(
  words: readonly string[],
  scale: Mention<number | null>,
  { max }: NumberReading,
): boolean {
  const isOtherScale = max !== undefined && Number.isFinite(max) && scale.value !== max;
  return isOtherScale || OCCASIONS.test(words[scale.end] ?? '');
}

/**
 * The number of people that a text plainly names: "for four", "a party of four", "four people". Null for none or
 * several. `readPrefilledAnswer` finds it in replies to another question.
 */
export function readCount(text: string): number | null {
  const words = spokenWords(text);
  const counts = words.flatMap((_word, index) => {
    const number = smallNumberAt(words, index);
    if (!number || number.isOrdinal || isTimeOfDay(words, index, index + number.length)) return [];
    const isCounted = /^(?:people|persons?|guests?|adults?)$/.test(words[index + number.length] ?? '');
    const isForPeople = words[index - 1] === 'for' || words.slice(0, index).join(' ').endsWith(' party of');
    return isCounted || isForPeople ? [number.value] : [];
  });
  return new Set(counts).size === 1 ? counts[0]! : null;
}

/** Drops times of day next to other numbers ("for four on Friday at seven" is four), unless the caller corrects. */
function withoutTimesOfDay(
  words: readonly string[],
  mentions: readonly Mention<number | null>[],
): Mention<number | null>[] {
  const others = mentions.filter(({ start, end }, index) => {
    const before = mentions[index - 1];
    // In "at seven thirty", thirty is the minutes of a time.
    const isMinutes = before?.end === start && isTimeOfDay(words, before.start, before.end);
    return !isMinutes && !isTimeOfDay(words, start, end);
  });
  return others.length > 0 && lastCorrection(words, mentions) < 0 ? others : [...mentions];
}

/** Words that make a number before them count something else: "one of my legs hurts", "two thumbs up". */
const COUNTS_ANOTHER_THING = /^(?:of (?:my|our|your|his|her)|thumbs?|(?:more|less|fewer) than)(?: |$)/;
/** Words before and after a number in a question of the caller: "is ten good?", "ten is best, right?" */
const ASKED_BACK_BEFORE =
  /^(?:(?:so|and|but|well|um|uh|wait|sorry|ok|okay) )*(?:is|was|does|would|what is|what does|did you (?:say|mean))$/;
const ASKED_BACK_AFTER = /^(?:is|being|means) (?:the )?(?:best|worst|highest|lowest|top)(?: |$)/;

/** Stars count up to five: on a longer scale "five stars" is no five. */
const MOST_STARS = 5;

/** The mentions without those that count something else, or belong to a question of the caller. */
function withoutOtherCounts(
  words: readonly string[],
  mentions: readonly Mention<number | null>[],
  { asked, max = Infinity }: NumberReading,
): Mention<number | null>[] {
  const hasStars = /\bstars?\b/i.test(asked ?? '') || max <= MOST_STARS;
  return mentions.filter(({ start, end }) => {
    if (!hasStars && /^stars?$/.test(words[end] ?? '')) return false;
    if (countsAnotherThing(words, { start, end }, asked)) return false;
    const following = words.slice(end, end + 3).join(' ');
    if (COUNTS_ANOTHER_THING.test(following) || ASKED_BACK_AFTER.test(following)) return false;
    return !ASKED_BACK_BEFORE.test(words.slice(0, start).join(' '));
  });
}

/** True for a number that is a time of day: "at seven", "seven pm". */
function isTimeOfDay(words: readonly string[], start: number, end: number): boolean {
  return words[start - 1] === 'at' || /^(?:am|pm|oclock)$/.test(words[end] ?? '');
}

/** A person before a number: the answer is the sum, which the caller does not say ("my wife and two children"). */
const PERSON_BEFORE =
  /\b(?:me|myself|i|wife|husband|partner|mother|father|mum|mom|dad|son|daughter|girlfriend|boyfriend|friend|sister|brother) (?:and|plus)(?: (?:my|our|the|another))?$/;
/** A person after a number: "four and a baby". */
const PERSON_AFTER =
  /^(?:(?:adults?|people|of us) )?(?:and|plus|with) (?:an?|my|our|the|his|her|some) (?:[^ ]+ )?(?:bab(?:y|ies)|child|children|kids?|toddlers?|infants?|wife|husband|partner|sons?|daughters?|girlfriend|boyfriend|friends?|sisters?|brothers?|mother|father|mum|mom|dad|grand[a-z]+)(?: |$)/;

/** The only value of some mentions; null for several, or for a sum such as "two adults and two children". */
function soleNumber(
  words: readonly string[],
  mentions: readonly Mention<number | null>[],
): Mention<number | null> | null {
  const isSum = mentions.some(({ start, end }, index) => {
    if (PERSON_BEFORE.test(words.slice(0, start).join(' '))) return true;
    if (PERSON_AFTER.test(words.slice(end).join(' '))) return true;
    const next = mentions[index + 1]?.start ?? end;
    return words.slice(end, next).some((word) => word === 'and' || word === 'plus');
  });
  return isSum ? null : sharedMention(mentions);
}

/**
 * The number that begins at the word `start`; null if none does. Its `value` is null if the words are a number with two
 * possible values.
 */
function mentionAt(
  words: readonly string[],
  start: number,
  reading: NumberReading,
): Mention<number | null> | null {
  const isOne = words[start] === 'one' && digitOf(words[start + 1]) === undefined;
  if (isOne && NO_NUMBER_BEFORE_ONE.test(words[start - 1] ?? '')) return null;
  const sign = /^(?:minus|negative)$/.test(words[start - 1] ?? '') ? -1 : 1;
  // "No one else" means none; "no one" alone may be "no" and "one".
  if (words.slice(start, start + 3).join(' ') === 'no one else') return { value: 0, start, end: start + 3 };
  const like = NUMBER_LIKE.get(words[start]!);
  if (like !== undefined) return { value: like, start, end: start + 1 };
  const parts = moneyAt(words, start, reading.asked) ?? twoPartAt(words, start, reading);
  if (parts) return { value: parts.value, start, end: start + parts.length };
  const whole =
    digitsAt(words, start, reading.max ?? Infinity) ??
    yearAt(words, start) ??
    numberAt(words, start) ??
    zeroOrBareMagnitude(words, start);
  const bareFraction = whole ? null : fractionWithoutNumber(words, start);
  // "Half" in answer to "How much?" is a share of the amount due, and no number.
  const isShare = bareFraction !== null && bareFraction.value < 1 && reading.unit === 'money';
  if (isShare && words[start + bareFraction.length] !== 'a') return null;
  if (bareFraction) return { value: bareFraction.value, start, end: start + bareFraction.length };
  if (!whole) return null;
  const fraction = fractionAt(words, start + whole.length, whole.value);
  const value = { value: fraction.value, length: whole.length + fraction.length };
  const multiplied = applyScale(words, start, value);
  return { value: sign * multiplied.value, start, end: start + multiplied.length };
}

/** Numbers that are not said in full: "oh", "hundred", and the zero before "point five". */
function zeroOrBareMagnitude(words: readonly string[], index: number) {
  if (digitOf(words[index]) === 0) return { value: 0, length: 1 };
  if (words[index] === 'point' && digitOf(words[index + 1]) !== undefined) return { value: 0, length: 0 };
  const bare = { hundred: 100, thousand: 1000 }[words[index] as 'hundred' | 'thousand'];
  return typeof bare === 'number' ? { value: bare, length: 1 } : null;
}

/** Two to nine digits in a row: "four two" is 42, "double five" is 55. */
function digitsAt(
  words: readonly string[],
  start: number,
  max: number,
): { value: number; length: number } | null {
  // "Not five, six" is two numbers.
  if (words[start - 1] === 'not') return null;
  let end = start;
  let digits = '';
  for (;;) {
    const times = REPEAT_WORDS.get(words[end] ?? '') ?? 1;
    const digit = digitOf(words[times > 1 ? end + 1 : end]);
    if (digit === undefined) break;
    digits += String(digit).repeat(times);
    end += times > 1 ? 2 : 1;
  }
  const isFollowedByMagnitude = /^(?:hundred|thousand|grand|million|dozen)$/.test(words[end] ?? '');
  if (digits.length < 2 || digits.length > 9 || isFollowedByMagnitude) return null;
  const value = Number(digits);
  // "Five, five" on a scale to ten is five.
  const isSaidAgain = value > max && new Set(digits).size === 1;
  return { value: isSaidAgain ? Number(digits[0]) : value, length: end - start };
}
