import { monthOf } from '#playbook/values/dates/day-words.js';
import { digitOf, smallNumberAt, yearAt } from '#language/numbers/number-words.js';

/*
 * Finds times of day among English words, and numbers that are no times. `readTime` uses both functions at each word
 * of an utterance.
 */

/** A time of day found among words. */
export interface SaidTime {
  /** The minute of the day. */
  minute: number;
  /** False if the time may be off by twelve hours: "three" without "pm". */
  isSure: boolean;
  /** The number of words that name the time. */
  length: number;
}

const HALF_DAY = 12 * 60;
const WHOLE_DAY = 24 * 60;
/** Words that a number before them counts: "three people". */
const COUNTED =
  /^(?:hours?|days?|weeks?|months?|years?|people|persons?|guests?|adults?|kids?|children|of|times?|dollars?|pounds?|euros?|cents|pills?|tablets?|miles?|blocks|nights?|friends|sons|daughters|brothers|sisters|grandchildren|cats?|dogs?|questions|percent|options?|more|other)$/;
/** Words before a number that make it the name of a place or thing: "flat three", "press one". */
const LABELS = /^(?:number|flat|apartment|room|line|floor|house|unit|gate|platform|bus|channel|press|suite)$/;
/** Words before "one" that make it a pronoun: "the other one". */
const NO_TIME_BEFORE_ONE =
  /^(?:that|this|which|no|any|the|some|every|first|last|other|another|second|third)$/;

/** The time of day that begins at a word; null if there is none. */
export function timeAt(words: readonly string[], index: number): SaidTime | null {
  const word = words[index]!;
  const next = words[index + 1];
  if (isMidday(word)) return { minute: HALF_DAY, isSure: true, length: next === 'twelve' ? 2 : 1 };
  if (word === 'midnight') return { minute: 0, isSure: true, length: next === 'twelve' ? 2 : 1 };
  if (/^(?:twelve|12)$/.test(word) && isMidday(next)) return { minute: HALF_DAY, isSure: true, length: 2 };
  if (/^(?:twelve|12)$/.test(word) && next === 'midnight') return { minute: 0, isSure: true, length: 2 };
  return withAmOrPm(words, index, relativeTime(words, index) ?? plainTime(words, index));
}

/**
 * The length in words of a number that begins at the word `index` and is no time: a day of a month, "two people", "flat
 * three", the digits of a phone number. 0 if a time may begin there.
 */
export function numberWithoutTimeAt(words: readonly string[], index: number): number {
  // "Four one five": digits of a phone number.
  const digits = digitsAt(words, index);
  if (digits > 0) return digits;
  // "March the fourteenth 2027".
  const month = monthOf(words[index]);
  const dayAt = words[index + 1] === 'the' ? index + 2 : index + 1;
  const day = month > 0 ? smallNumberAt(words, dayAt) : null;
  if (day) return withYear(words, dayAt + day.length) - index;
  const number = smallNumberAt(words, index);
  if (!number) return 0;
  const next = words[index + number.length] ?? '';
  // "The fourteenth of March"; but in "three may work", "may" is no month.
  const monthAt = next === 'of' ? index + number.length + 1 : index + number.length;
  if (monthOf(words[monthAt]) > 0 && words[monthAt] !== 'may') return withYear(words, monthAt + 1) - index;
  // "Two of" counts something, but "five of two" is a time.
  const isMinutesTo = /^(?:past|to|after|before|till|til|of)$/.test(words[index + number.length + 1] ?? '');
  const isCounted =
    (COUNTED.test(next) && !(next === 'of' && smallNumberAt(words, index + number.length + 1))) ||
    (/^minutes?$/.test(next) && !isMinutesTo);
  // "Two and a half" is an amount; "five to" is an incomplete time.
  const rest = words.slice(index + number.length, index + number.length + 3).join(' ');
  const isAmountOrIncomplete = rest === 'and a half' || /^(?:to|past)$/.test(rest);
  const isPronoun =
    words[index] === 'one' &&
    NO_TIME_BEFORE_ONE.test(words[index - 1] ?? '') &&
    !isTimeContinued(words, index + 1);
  // "Forty" is no hour, but "forty minutes past" may be a time; "fifteen hours" is 15:00.
  const isTooLarge = number.value > 23 && !/^(?:minutes?|past|to|after|before)$/.test(next);
  const isMilitary = number.value > 12 && number.value <= 23 && next === 'hours';
  const isLabelled = LABELS.test(words[index - 1] ?? '') && !isTimeContinued(words, index + number.length);
  return isLabelled || (isCounted && !isMilitary) || isAmountOrIncomplete || isPronoun || isTooLarge
    ? number.length
    : 0;
}

/** The index after a day of a month and the year that may follow: the 2027 of "March 14th 2027" is no time. */
function withYear(words: readonly string[], end: number): number {
  return end + (yearAt(words, end)?.length ?? 0);
}

/** The number of single digits in a row, as in a phone number; 0 for fewer than three, and for "one oh five". */
function digitsAt(words: readonly string[], index: number): number {
  let end = index;
  while (digitOf(words[end]) !== undefined) end += 1;
  const length = end - index;
  return length > 3 || (length === 3 && digitOf(words[index + 1]) !== 0) ? length : 0;
}

/** True if the words from `index` on continue a time after its hour: "o'clock", "pm", "thirty". */
function isTimeContinued(words: readonly string[], index: number): boolean {
  const minutes = smallNumberAt(words, index);
  return /^(?:oclock|am|pm|oh|in)$/.test(words[index] ?? '') || (minutes?.value ?? 0) >= 10;
}

function isMidday(word: string | undefined): boolean {
  return word === 'noon' || word === 'midday';
}

/** The minutes before "past" or "to": "half", "quarter", "twenty", and the one in "a minute to four". */
function minutesAt(words: readonly string[], at: number) {
  if (words[at] === 'half') return { value: 30, length: 1 };
  if (words[at] === 'quarter') return { value: 15, length: 1 };
  return words[at] === 'minute' && words[at - 1] === 'a' ? { value: 1, length: 0 } : smallNumberAt(words, at);
}

/** A time by its distance from an hour: "half past three", "quarter to four", "ten past three", "half three". */
function relativeTime(words: readonly string[], index: number): SaidTime | null {
  const at = words[index] === 'a' ? index + 1 : index;
  const isHalf = words[at] === 'half';
  const minutes = minutesAt(words, at);
  if (!minutes || minutes.value > 30 || minutes.value < 1) return null;
  const saysMinutes = /^minutes?$/.test(words[at + minutes.length] ?? '');
  const afterMinutes = at + minutes.length + (saysMinutes ? 1 : 0);
  // "Three to four" names two times, "five to four" one: only multiples of five are minutes without their unit.
  if (!saysMinutes && minutes.value % 5 !== 0) return null;
  const direction = words[afterMinutes] ?? '';
  const isPast = direction === 'past' || direction === 'after';
  const isTo = /^(?:to|of|till|til|before)$/.test(direction);
  const isBritish = isHalf && smallNumberAt(words, at + 1) !== null;
  if (!isPast && !isTo && !isBritish) return null;
  const hourAt = isBritish && !isPast && !isTo ? at + 1 : afterMinutes + 1;
  const hour = hourOf(words, hourAt) ?? middleOfDay(words, hourAt);
  if (!hour) return null;
  const minute = hour.value * 60 + (isTo ? -minutes.value : minutes.value);
  return {
    minute: (minute + WHOLE_DAY) % WHOLE_DAY,
    isSure: hour.isSure,
    length: hourAt + hour.length - index,
  };
}

/** Noon or midnight as the hour of a relative time: "ten to midnight". */
function middleOfDay(words: readonly string[], index: number) {
  if (isMidday(words[index])) return { value: 12, isSure: true, length: 1 };
  return words[index] === 'midnight' ? { value: 0, isSure: true, length: 1 } : null;
}

/** A time by hour and minute: "three", "three thirty", "three oh five", "three o'clock", "15:30", "fifteen hundred". */
function plainTime(words: readonly string[], index: number): SaidTime | null {
  // "1530": three or four figures without a separator.
  const figures = /^([01]?\d|2[0-3])([0-5]\d)$/.exec(words[index]!);
  if (figures && words[index]!.length >= 3) {
    const hour = Number(figures[1]);
    const minute = hour * 60 + Number(figures[2]);
    return { minute, isSure: hour > 12 || hour === 0 || words[index]!.startsWith('0'), length: 1 };
  }
  const hour = hourOf(words, index);
  if (!hour) return null;
  const at = index + hour.length;
  if (words[at] === 'oclock' || words[at] === 'hundred') {
    const hours = words[at] === 'hundred' && words[at + 1] === 'hours' ? 1 : 0;
    return { minute: hour.value * 60, isSure: hour.isSure, length: hour.length + 1 + hours };
  }
  // The minutes: "three oh five", "three point thirty", "three thirty", "15 30". A single digit needs an "oh" or a
  // zero.
  const isOh = /^(?:oh|o|zero)$/.test(words[at] ?? '');
  const skipped = isOh || words[at] === 'point' ? 1 : 0;
  const minutes = smallNumberAt(words, at + skipped);
  const isMinutes =
    minutes !== null &&
    !minutes.isOrdinal &&
    minutes.value < 60 &&
    (minutes.value >= 10 || isOh || /^0\d$/.test(words[at] ?? ''));
  if (!isMinutes) return { minute: hour.value * 60, isSure: hour.isSure, length: hour.length };
  const minute = hour.value * 60 + minutes.value;
  return { minute, isSure: hour.isSure, length: hour.length + skipped + minutes.length };
}

/** An hour from 0 to 23. A leading zero means the 24-hour clock, so that the hour is sure. */
function hourOf(words: readonly string[], index: number) {
  const hasZero = /^(?:zero|oh|o)$/.test(words[index] ?? '');
  const number = smallNumberAt(words, hasZero ? index + 1 : index);
  if (!number || number.isOrdinal || number.value > 23 || (hasZero && number.value > 9)) return null;
  const isSure = number.value > 12 || hasZero || words[index]!.startsWith('0');
  return { value: number.value, isSure, length: number.length + (hasZero ? 1 : 0) };
}

/** The time with the "am" or "pm" that may follow it. */
function withAmOrPm(words: readonly string[], index: number, said: SaidTime | null): SaidTime | null {
  if (!said) return null;
  const amOrPm = words[index + said.length];
  if (amOrPm !== 'am' && amOrPm !== 'pm') return said;
  const minute = (said.minute % HALF_DAY) + (amOrPm === 'pm' ? HALF_DAY : 0);
  return { minute, isSure: true, length: said.length + 1 };
}
