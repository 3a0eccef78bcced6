import type { WordSpan } from '#language/ruled-out.js';

/*
 * Parts of the day in English ("in the morning"), which decide between three in the morning and three in the
 * afternoon.
 */

/** A part of the day: `later` is afternoon or evening. */
export type Daytime = 'morning' | 'later' | 'night';

const DAYTIMES: ReadonlyMap<string, Daytime> = new Map([
  ['morning', 'morning'],
  ['afternoon', 'later'],
  ['evening', 'later'],
  ['pm', 'later'],
  ['night', 'night'],
  ['tonight', 'night'],
]);
/** In minutes, as all times below. */
const HALF_DAY = 12 * 60;
/** From this time of the 12-hour clock on, "at night" is before midnight: ten at night is 22:00, two at night 02:00. */
const NIGHT_BEGINS = 6 * 60;

/**
 * The part of the day that belongs to a time: named in the four words after it, else before it, else anywhere in the
 * utterance. Null if none is named, or only different ones elsewhere in the utterance.
 * @param before the index of the word after the previous time of the utterance
 * @param behind the index of the first word of the next time
 */
export function daytimeOf(
  words: readonly string[],
  { start, end }: WordSpan,
  before: number,
  behind: number,
): Daytime | null {
  return (
    daytimesIn(words, end, Math.min(behind, end + 4))[0] ??
    daytimesIn(words, before, start).at(-1) ??
    agreedDaytime(daytimesIn(words, 0, words.length))
  );
}

/** The part of the day that all mentions name; null for no mention, or different ones. */
function agreedDaytime(daytimes: readonly Daytime[]): Daytime | null {
  return daytimes.length > 0 && daytimes.every((daytime) => daytime === daytimes[0]) ? daytimes[0]! : null;
}

/** The parts of the day named in some of the words, without greetings ("good morning") and "not in the morning". */
function daytimesIn(words: readonly string[], from: number, to: number): Daytime[] {
  return words.slice(from, to).flatMap((word, offset) => {
    const daytime = DAYTIMES.get(word);
    const before = words.slice(Math.max(0, from + offset - 3), from + offset).join(' ');
    const isNone =
      daytime === undefined || /\bgood$/.test(before) || /\bnot(?: in| the| in the)?$/.test(before);
    return isNone ? [] : [daytime];
  });
}

/**
 * The times of day (minutes since midnight) that a time on the 12-hour clock may mean: two without a part of the day,
 * else one. "At three" may be 03:00 or 15:00; "three in the afternoon" is 15:00.
 */
export function minutesMeant(minute: number, daytime: Daytime | null): number[] {
  const early = minute % HALF_DAY;
  if (daytime === null) return [early, early + HALF_DAY];
  if (daytime === 'morning') return [early];
  return daytime === 'night' && early < NIGHT_BEGINS ? [early] : [early + HALF_DAY];
}
